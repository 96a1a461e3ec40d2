using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Writing;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Processing.Redriving;

/// <summary>The result of writing one event.</summary>
/// <param name="Written">The sinks that have it now.</param>
/// <param name="Refusals">Why the others do not have it, each with the sink's name. None for an unavailable service.</param>
/// <param name="Attempts">Tries of the sinks that refused it.</param>
/// <param name="Cut">Whether a write was cancelled, so that its outcome is unknown.</param>
internal sealed record RedrivenEvent(IReadOnlyList<string> Written, IReadOnlyList<string> Refusals, int Attempts, bool Cut);

/// <summary>Writes an event to several sinks concurrently, each with the deadline and the retries of every write.</summary>
internal sealed class RedrivenWrites(IReadOnlyList<ISink<ReceivedEvent>> sinks, RetryRule rule, ProcessingFaults faults, ILogger log, TimeProvider timeProvider)
    : IDisposable
{
    private readonly DeadlinePool deadlines = new(timeProvider);

    public void Dispose() => deadlines.Dispose();

    /// <summary>Whether there is a sink of that name.</summary>
    public bool Has(string name) => sinks.Any(sink => sink.Name == name);

    /// <summary>Writes the event to the existing sinks among these names.</summary>
    public async Task<RedrivenEvent> WriteAsync(ReceivedEvent receivedEvent, IReadOnlyList<string> names, IWriteOwner owner)
    {
        var chosen = sinks.Select((sink, place) => (sink, place)).Where(one => names.Contains(one.sink.Name)).ToList();
        var tried = await Task.WhenAll(chosen.Select(one => TryAsync(one.sink, one.place, receivedEvent, owner)));
        var missing = names.Where(name => !Has(name)).Select(static name => $"{name}: the consumer has no such sink");
        return new RedrivenEvent(
            [.. chosen.Where((_, at) => tried[at] is { Failure: null }).Select(static one => one.sink.Name)],
            [
                .. chosen
                    .Select((one, at) => (one.sink.Name, tried[at]?.Failure))
                    .Where(static one => one.Failure is { } failure && !RetryRule.IsFatal(failure.Kind))
                    .Select(static one => $"{one.Name}: {one.Failure!.Message}"),
                .. missing,
            ],
            tried.Sum(static write => write is { Failure: not null } failed ? failed.Attempts : 0),
            tried.Any(static write => write is null)
        );
    }

    // Null when it was cancelled.
    private async Task<TriedWrite?> TryAsync(ISink<ReceivedEvent> sink, int place, ReceivedEvent receivedEvent, IWriteOwner owner)
    {
        try
        {
            var notices = new WriteNotices(sink.Name, receivedEvent.PartitionId, place, [], log, timeProvider);

            // Always limited here: a claim lasts for twice the limit.
            var write = new SinkWrite(ReceivedEventSink.For(sink), owner, deadlines, rule, notices, timeProvider) { SetsLimit = true };
            var tried = await write.WriteAsync(receivedEvent, timeProvider.GetTimestamp());
            if (tried.Failure is { } failure && RetryRule.IsFatal(failure.Kind))
            {
                faults.Report(ProcessingFaultKind.Dependency, $"{sink.Name}: {failure.Message}", failure);
            }

            return tried;
        }
        catch (OperationCanceledException)
        {
            // Any exception of a sink is a failed try: only the owner can cancel.
            return null;
        }
    }
}
