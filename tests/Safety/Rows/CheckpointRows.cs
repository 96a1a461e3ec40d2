using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Safety.Scripts;

namespace EventHubThroughput.Safety.Rows;

/// <summary>Checkpoints, ownerships and hubs that are not what this consumer left (F5, F19 to F22, F39, F40).</summary>
internal static class CheckpointRows
{
    private const string Durable = "--data {folder}/data";
    private static readonly TimeSpan Expiry = TimeSpan.FromSeconds(3);

    public static IReadOnlyList<FaultRow> All { get; } =
    [
        new("F5", "SIGSTOP for 1 x the ownership expiry, another consumer beside it")
        {
            Script = Owners.Paused(Expiry),
            Seconds = 10,
            Expected = Expected.Clean,
        },
        new("F5-long", "SIGSTOP for 3 x the ownership expiry, another consumer beside it")
        {
            Script = Owners.Paused(3 * Expiry),
            Seconds = 16,
            Expected = Expected.Clean,
        },
        new("F19", "another writer stores the same position")
        {
            Script = Checkpoints.WrittenByAnother(0),
            Seconds = 5,
            Expected = Expected.Clean,
        },
        new("F19-older", "another writer stores an older position")
        {
            Script = Checkpoints.WrittenByAnother(30),
            Seconds = 5,
            Expected = Expected.Clean,
        },
        new("F19-unfenced", "another writer stores an older position, no fencing")
        {
            Script = Checkpoints.WrittenByAnother(30),
            Seconds = 5,
            Options = "--no-fencing",
            Expected = Expected.Clean,
        },
        Refused("F20", "a checkpoint without position", "checkpoint of partition 0 cannot be read"),
        Refused("F20-damaged", "a checkpoint that is not a number", "checkpoint of partition 0 cannot be read", ("sequencenumber", "4x7"), ("offset", "12")),
        Refused("F20-below", "a checkpoint below every event", "checkpoint of partition 0 cannot be read", ("sequencenumber", "-2"), ("offset", "12")),
        Refused(
            "F20-beyond",
            "a checkpoint beyond the end",
            @"checkpoint 999999 is beyond the end \d+ of partition 0",
            ("sequencenumber", "999999"),
            ("offset", "999999")
        ),
        new("F20-foreign", "no fault: foreign blobs among ownerships and checkpoints")
        {
            Emulator = Durable,
            Prepare = Checkpoints.PutForeignAsync,
            Expected = Expected.Clean,
        },
        Understood("F20-offset", "a checkpoint with an offset only", Checkpoints.OffsetOnly),
        Understood("F20-sequence", "a checkpoint with a sequence number only", Checkpoints.SequenceOnly),
        Understood("F20-placeholder", "a checkpoint with the official placeholder for the offset", Checkpoints.Placeholder),
        new("F21", "another owner takes ownerships")
        {
            Faults = ["name=F21&every=5"],
            Seconds = 6,
            Expected = Expected.Clean,
            Sampled = true,
        },
        new("F21-guest", "a second consumer joins and leaves three times")
        {
            Script = Owners.JoinedAndLeft(3, TimeSpan.FromSeconds(2.5)),
            Seconds = 18,
            Expected = Expected.Clean,
        },
        new("F21-minute", "a second consumer joins and leaves every 5 s for 60 s")
        {
            // A leaving owner still writes events that were overtaken by younger events of other keys, and messages are slow here.
            Options = "--drain-limit 60s",
            Script = Owners.JoinedAndLeft(6, TimeSpan.FromSeconds(5)),
            Seconds = 66,
            Expected = Expected.Clean,
            Limit = TimeSpan.FromMinutes(8),
        },
        new("F22", "a second consumer with another checkpoint store")
        {
            // Few in flight: messages are slow here, and those that wait longer than a send may take are sent again without a fault.
            Options = "--degree 2 --batch 10",
            Healing = "--degree 2 --batch 10",
            Script = Owners.FoughtAsync,
            Seconds = 320,
            Expected = new Expected(4, "another processor with a different checkpoint store"),
            Limit = TimeSpan.FromMinutes(14),
        },
        new("F39", "retention has passed the checkpoint")
        {
            Emulator = "--settings {folder}/small-hub.json",
            Files = SmallHub(),
            Script = Hubs.TrimmedAsync,
            Expected = new Expected(4, @"[\d,]+ events of partition \d+ are gone") { Verdict = Standing.NotFailed },
        },
        new("F40", "the hub was made again, its numbers begin again")
        {
            Script = Hubs.Recreated(4),
            Expected = new Expected(4, @"checkpoint \d+ is beyond the end -?\d+ of partition \d+") { Verdict = Standing.NotFailed },
        },
        new("F40-fewer", "the hub was made again with 2 partitions instead of 4")
        {
            Script = Hubs.Recreated(2),
            Expected = new Expected(4, @"\b4\b.*\b2\b|\b2\b.*\b4\b") { Verdict = Standing.NotFailed },
        },
        .. new[] { 1, 2, 32, 100 }.Select(partitions => new FaultRow($"F40-{partitions}", $"no fault: {partitions} partitions")
        {
            Emulator = $"--partitions {partitions}",
            Expected = Expected.Clean,
        }),
        new("F40-empty", "no fault: an empty hub") { Sends = Hubs.NothingSent, Expected = Expected.Clean with { Verdict = Standing.NotFailed } },
    ];

    // State from before the journal is not attributed to the run.
    private static FaultRow Refused(string id, string injected, string error, params (string Name, string Value)[] metadata) =>
        new(id, injected)
        {
            Emulator = Durable,
            Prepare = Checkpoints.Store(metadata),
            Heal = Checkpoints.RemoveAsync,
            Expected = new Expected(4, error),
        };

    private static FaultRow Understood(string id, string injected, Func<Clients.EventHubs.EventPosition, Dictionary<string, string>> form) =>
        new(id, injected)
        {
            Script = Checkpoints.SetBack(form),
            Expected = Expected.Clean,
            Also = Checks.Replays(Checkpoints.Replayed),
        };

    private static Dictionary<string, string> SmallHub() =>
        new(StringComparer.Ordinal) { ["small-hub.json"] = """{ "hubs": [ { "name": "hub", "partitions": 4, "retentionSize": "256KiB" } ] }""" };
}
