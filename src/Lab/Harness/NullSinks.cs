using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Harness;

/// <summary>A sink that acknowledges immediately.</summary>
/// <param name="name">The name.</param>
internal sealed class NullSink(string name) : ISink<ReceivedEvent>
{
    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) => ValueTask.CompletedTask;
}

/// <summary>The same for batches, from a strategy that makes them.</summary>
/// <param name="name">The name.</param>
internal sealed class NullBatchSink(string name) : IBatchSink<ReceivedEvent>
{
    // The most messages that one operation of Service Bus has here.
    private const int Largest = 100;

    // Every answer is the same: no failure, for as many events as there were.
    private readonly Exception?[][] answers = [.. Enumerable.Range(0, Largest + 1).Select(static count => new Exception?[count])];

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public int LargestBatch => Largest;

    /// <inheritdoc/>
    public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) => ValueTask.CompletedTask;

    /// <inheritdoc/>
    public ValueTask<IReadOnlyList<Exception?>> WriteBatchAsync(IReadOnlyList<ReceivedEvent> events, CancellationToken cancellationToken) =>
        new(answers[events.Count]);
}
