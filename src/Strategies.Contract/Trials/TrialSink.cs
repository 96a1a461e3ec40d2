using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies.Contract.Trials;

/// <summary>Writes with the given duration and outcome. The trial records what happened.</summary>
internal sealed class TrialSink(
    Trial trial,
    string name,
    Func<EventSlot, CancellationToken, Task> write,
    Func<TimeSpan, WriteOutcome>? outcome = null,
    int largestBatch = 1
) : ITrackedSink
{
    public string Name => name;

    public int LargestBatch => largestBatch;

    public ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken) =>
        WriteAsync(receivedEvent, trial.NextOperation(), cancellationToken);

    public async ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
        await Task.WhenAll(StartBatch(events, cancellationToken));

    public IReadOnlyList<Task<WriteOutcome>> StartBatch(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken)
    {
        // The number of operations that the sink needs for them.
        var operations = events.Chunk(largestBatch).SelectMany(part => Enumerable.Repeat(trial.NextOperation(), part.Length));
        return [.. events.Zip(operations, StartAsync)];

        async Task<WriteOutcome> StartAsync(EventSlot receivedEvent, long operation) => await WriteAsync(receivedEvent, operation, cancellationToken);
    }

    private ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, long operation, CancellationToken cancellationToken)
    {
        var record = trial.Begin(name, receivedEvent, operation);
        Task writing;
        try
        {
            writing = write(receivedEvent, cancellationToken);
        }
        catch
        {
            // Thrown before the first await, as some sinks do.
            trial.End(record, acknowledged: false);
            throw;
        }

        return FinishAsync(record, writing);
    }

    private async ValueTask<WriteOutcome> FinishAsync(RecordedWrite record, Task writing)
    {
        try
        {
            await writing;
        }
        catch
        {
            trial.End(record, acknowledged: false);
            throw;
        }

        trial.End(record, acknowledged: true);
        var elapsed = record.Ended!.Value - record.Begun;
        return outcome?.Invoke(elapsed) ?? new WriteOutcome(elapsed, 1, Throttled: false);
    }
}
