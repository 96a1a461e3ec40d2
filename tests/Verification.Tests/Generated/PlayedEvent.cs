using System.Globalization;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>An event of a played run: the records of <see cref="SimulatedEvent"/> as the real emulator and consumer write them.</summary>
internal sealed class PlayedEvent(SimulatedEvent simulated, string run)
{
    private long arrival;

    public SimulatedEvent Simulated { get; } = simulated;

    public string Partition => Simulated.Partition;

    public long Sequence => Simulated.Sequence;

    public string? Key => Simulated.Key;

    private Dictionary<string, string> Stamp => new(Simulated.Stamp) { ["eht-run"] = run };

    public LedgerRow Row() => Simulated.Row() with { Run = run };

    public EventAppended Append() => Simulated.Append() with { Properties = Stamp };

    public EventDelivered Deliver(string link) => Simulated.Deliver(link);

    public MessageWritten Message(WriteMoment moment) =>
        Simulated.Message(moment) with
        {
            Properties = Stamp,
            Arrival = moment == WriteMoment.Stored ? ++arrival : null,
        };

    public BlobWritten Blob(WriteMoment moment) =>
        Simulated.Blob(moment) with
        {
            Metadata = new Dictionary<string, string>
            {
                ["sha256"] = Simulated.Sha256,
                ["length"] = Length,
                ["properties"] = Simulated.EncodedProperties,
            },
            ETag = moment == WriteMoment.Begun ? null : "e1",
        };

    public BlobWritten DeadLetter(WriteMoment moment) =>
        Blob(moment) with
        {
            Container = "deadletters",
            Metadata = new Dictionary<string, string>
            {
                ["sha256"] = Simulated.Sha256,
                ["length"] = Length,
                ["reason"] = "too large",
                ["attempts"] = "1",
                ["sinks"] = "servicebus,blob",
                ["partition"] = Simulated.Partition,
                ["sequence"] = Simulated.Sequence.ToString(CultureInfo.InvariantCulture),
                ["offset"] = Convert.ToBase64String(System.Text.Encoding.UTF8.GetBytes(Simulated.Offset)),
                ["enqueued"] = "2026-11-27T10:00:00.0000000+00:00",
                ["properties"] = Simulated.EncodedProperties,
            },
        };

    public CheckpointWritten Checkpoint(string client, WriteMoment moment) => Simulated.Checkpoint(client) with { Moment = moment };

    private string Length => Simulated.Length.ToString(CultureInfo.InvariantCulture);
}
