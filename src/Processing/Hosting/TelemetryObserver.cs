using System.Diagnostics;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing.Hosting;

/// <summary>Measures one ownership. Its attributes are made once, so that recording allocates nothing.</summary>
internal sealed class TelemetryObserver(string partition, MessagingSettings settings, ProcessingInstruments instruments) : PartitionObserver
{
    private readonly TagList consumed = ProcessingInstruments.TagsOf(settings, partition, "receive");
    private readonly TagList processed = ProcessingInstruments.TagsOf(settings, partition, "process");
    private readonly TagList deadLettered =
    [
        .. ProcessingInstruments.TagsOf(settings, partition, "process"),
        new KeyValuePair<string, object?>("error.type", "dead_lettered"),
    ];

    public override void HandedOver(IReadOnlyList<ReceivedEvent> events, int outstanding) => instruments.Consumed.Add(events.Count, in consumed);

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
}
