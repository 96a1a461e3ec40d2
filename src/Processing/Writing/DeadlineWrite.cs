using System.Runtime.CompilerServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Events.Pooling;
using EventHubThroughput.Processing.Lifetime;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Processing.Writing;

/// <summary>
/// One try of a write with a deadline. Whatever the sink throws is a failure of this try; only the loss of the partition and the drain
/// limit cut it.
/// </summary>
/// <param name="sink">The sink that does the work.</param>
/// <param name="ownership">Whose loss or end cuts the try.</param>
/// <param name="deadlines">Makes the deadlines.</param>
/// <param name="operationLimit">How long a write may take with all its tries.</param>
internal sealed class DeadlineWrite(ISink sink, IWriteOwner ownership, DeadlinePool deadlines, TimeSpan operationLimit)
{
    public string Name => sink.Name;

    /// <summary>The most events of one try; 1 for a sink that takes them singly.</summary>
    public int LargestBatch => sink is IBatchSink batches ? batches.LargestBatch : 1;

    /// <summary>Tries one event; gives the failure, or null when the sink has it.</summary>
    /// <param name="receivedEvent">The event.</param>
    /// <param name="since">From when the limit counts, by the clock's raw timestamp.</param>
    /// <exception cref="OperationCanceledException">The write was cut.</exception>
    // Pooled: called for every write, and most of them wait.
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    public async ValueTask<MessagingException?> TryAsync(ReceivedEvent receivedEvent, long since)
    {
        using var deadline = deadlines.StartFrom(since, operationLimit, ownership.Writes);
        try
        {
            await sink.WriteAsync(receivedEvent, deadline.Token);
            return null;
        }
        catch (Exception thrown) when (!ownership.Writes.IsCancellationRequested || thrown is not OperationCanceledException)
        {
            return FailureOf(thrown, deadline.Token.IsCancellationRequested);
        }
    }

    /// <summary>Tries several events in one operation; gives each one's failure, or null where the sink has it.</summary>
    /// <exception cref="OperationCanceledException">The write was cut.</exception>
    public async ValueTask<IReadOnlyList<MessagingException?>> TryBatchAsync(IReadOnlyList<ReceivedEvent> events, long since)
    {
        using var deadline = deadlines.StartFrom(since, operationLimit, ownership.Writes);
        try
        {
            var outcomes = await ((IBatchSink)sink).WriteBatchAsync(events, deadline.Token);
            return outcomes.Count == events.Count
                ? [.. outcomes.Select(outcome => outcome is null ? null : FailureOf(outcome, late: false))]
                : [.. events.Select(_ => new MessagingException(FailureKind.Permanent, $"{Name} gave {outcomes.Count} outcomes for {events.Count} events"))];
        }
        catch (Exception thrown) when (!ownership.Writes.IsCancellationRequested || thrown is not OperationCanceledException)
        {
            var failure = FailureOf(thrown, deadline.Token.IsCancellationRequested);
            return [.. events.Select(_ => failure)];
        }
    }

    // What is not one of the clients' own failures comes from somebody's code, and may pass like any other.
    private MessagingException FailureOf(Exception thrown, bool late) =>
        thrown switch
        {
            MessagingException failure => failure,
            OperationCanceledException when late => new MessagingException(
                FailureKind.Transient,
                $"no answer within {operationLimit.TotalSeconds:0.###} s",
                thrown
            ),
            _ => new MessagingException(FailureKind.Transient, $"{thrown.GetType().Name}: {thrown.Message}", thrown),
        };
}
