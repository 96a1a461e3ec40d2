using System.Diagnostics;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing.Telemetry;

/// <summary>Measures one ownership. Its attributes are created once, so that recording allocates nothing.</summary>
internal sealed class TelemetryObserver(string partition, MessagingSettings settings, ProcessingInstruments instruments) : PartitionObserver
{
    private readonly TagList received = ProcessingInstruments.GetTags(settings, partition, "receive");
    private readonly TagList processed = ProcessingInstruments.GetTags(settings, partition, "process");
    private readonly TagList stored = ProcessingInstruments.GetTags(settings, partition, "checkpoint");
    private readonly TagList deadLettered = WithError(settings, partition, "process", "dead_lettered");
    private readonly TagList notStored = WithError(settings, partition, "checkpoint", "_OTHER");

    public override void BatchReceived(int events, TimeSpan? waited)
    {
        if (waited is { } wait)
        {
            instruments.Operations.Record(wait.TotalSeconds, in received);
        }
    }

    public override void HandedOver(IReadOnlyList<EventSlot> events, int outstanding) => instruments.Consumed.Add(events.Count, in received);

    public override void Completed(in EventCompletion completion)
    {
        if (completion.DeadLettered)
        {
            instruments.Duration.Record(completion.Elapsed.TotalSeconds, in deadLettered);
        }
        else
        {
            instruments.Duration.Record(completion.Elapsed.TotalSeconds, in processed);
        }
    }

    public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed) =>
        instruments.Operations.Record(elapsed.TotalSeconds, in stored);

    public override void CheckpointFailed(TimeSpan elapsed) => instruments.Operations.Record(elapsed.TotalSeconds, in notStored);

    private static TagList WithError(MessagingSettings settings, string partition, string operation, string error) =>
        [.. ProcessingInstruments.GetTags(settings, partition, operation), new KeyValuePair<string, object?>("error.type", error)];
}
