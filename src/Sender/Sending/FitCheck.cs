using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Sender.Input;

namespace EventHubThroughput.Sender.Sending;

/// <summary>
/// Finds events of a file that the event hub would refuse, before anything is sent. The limit applies to the whole event with its stamp, key and content type.
/// Only the hub reports the limit.
/// </summary>
/// <param name="writer">Encodes events as they will be sent.</param>
/// <param name="options">The run and its partition.</param>
/// <param name="isTraced">Whether each event carries a trace context.</param>
/// <param name="timeProvider">The clock.</param>
internal sealed class FitCheck(IEventHubWriter writer, SendOptions options, bool isTraced, TimeProvider timeProvider)
{
    // More than stamp, key, content type, trace context and their encoding add to a body.
    private const int MostBeside = 8 * 1024;

    // Has the length of every trace context.
    private static readonly string AnyContext = new('0', 55);

    /// <exception cref="Settings.UsageException">An event does not fit. The message names file and line.</exception>
    public async Task CheckAsync(IFileSource source, CancellationToken cancellationToken)
    {
        var limit = (await writer.CreateBatchAsync(null, options.Partition, cancellationToken)).MaximumSizeInBytes;
        if (source.LargestBody + MostBeside <= limit)
        {
            return;
        }

        var problems = new InputProblems(source.Path);
        var stamper = new EventStamper(options.Run, isTraced ? Traced : null);
        foreach (var sourceEvent in source.Read())
        {
            var stamped = stamper.Stamp(sourceEvent, timeProvider.GetUtcNow());
            if (sourceEvent.Body.Length + MostBeside > limit && !await FitsAsync(stamped, cancellationToken))
            {
                problems.Add(
                    sourceEvent.Line,
                    $"an event with a body of {sourceEvent.Body.Length:N0} bytes is too large: the event hub takes {limit:N0} bytes with key and properties"
                );
            }
        }

        problems.ThrowIfAny();
    }

    private async Task<bool> FitsAsync(PendingEvent stamped, CancellationToken cancellationToken) =>
        (await writer.CreateBatchAsync(stamped.Key, options.Partition, cancellationToken)).TryAdd(stamped.Event);

    private static Dictionary<string, object?> Traced(IReadOnlyDictionary<string, object?> properties) =>
        new(properties, StringComparer.Ordinal) { [TraceParent.Property] = AnyContext, [TraceParent.OlderProperty] = AnyContext };
}
