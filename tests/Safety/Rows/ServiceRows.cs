using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Safety.Scripts;

namespace EventHubThroughput.Safety.Rows;

/// <summary>What the services do: connections cut, links detached, servers busy, answers lost, entities gone (F6 to F18, F25, F38).</summary>
internal static class ServiceRows
{
    private static readonly TimeSpan Long = TimeSpan.FromMinutes(8);

    public static IReadOnlyList<FaultRow> All { get; } =
    [
        Clean("F6", "every 4th connection is reset after 4 KiB of answers", "name=F6"),
        Clean("F6-read", "the reader's connection is reset", "name=reset&at=eventDeliver&do=drop&every=500&limit=3") with
        {
            Sampled = true,
        },
        Clean("F6-send", "Service Bus resets the connection before a message is stored", "name=F6-send&limit=5") with
        {
            Sampled = true,
        },
        Clean("F6-blob", "Blob resets the connection of an upload", "name=reset&at=blobWrite&do=drop&every=100") with
        {
            Sampled = true,
        },
        Clean("F6-checkpoint", "the connection of a checkpoint write is reset", "name=F6-checkpoint") with
        {
            Sampled = true,
        },
        Clean("F7", "connections are not served for 5 s", "name=F7"),
        Clean("F7-long", "for 70 s no write is answered", "name=F7-long") with
        {
            Limit = Long,
        },
        Clean("F8", "readers are detached for an internal error", "name=F8&every=300"),
        Clean("F8-send", "senders are detached for an internal error", "name=F8-send"),
        Clean("F8-limit", "readers are detached for a limit", "name=F8-limit&every=300"),
        Clean("F8-stolen", "the partition is taken by a higher owner level", "name=F8-stolen&nth=300"),
        Ends("F8b", "links are refused: not found", 4, "not found", "name=F8b"),
        Ends("F8b-unauthorized", "links are refused: not authorized", 4, "not authorized", "name=F8b-unauthorized"),
        Clean("F9", "no link credit for 30 s", "name=F9") with
        {
            Limit = Long,
        },
        Clean("F10-4", "server busy, 1 in 10,000", "name=F10-4") with
        {
            Expected = Expected.Clean with { Strikes = 0 },
        },
        Clean("F10-3", "server busy, 1 in 1,000", "name=F10-3") with
        {
            Events = 3_000,
            Expected = Expected.Clean with { Strikes = 0 },
        },
        Clean("F10-2", "server busy, 1 in 100", "name=F10-2") with
        {
            Sampled = true,
        },
        WhileRunning("F10-all", "server busy for 5 s", "name=F10-all") with
        {
            Sampled = true,
        },
        Clean("F11", "messages stored, never confirmed", "name=F11&limit=10"),
        Clean("F11-silent", "messages stored, never confirmed, the connection stays", "name=F11&andDrop=false&limit=2") with
        {
            Also = Checks.AsManyDuplicatesAsStrikes,
            Limit = Long,
        },
        Clean("F11-events", "events stored, never confirmed to the sender", "name=F11-events&every=10") with
        {
            Arming = Arming.BeforeTheSender,
        },
        MidRun("F12", "the queue is gone", 4, "queue.*not (found|exist)", "name=F12&fromSeconds=0"),
        MidRun("F12-disabled", "the queue is disabled", 4, "queue.*disabled", "name=F12-disabled&fromSeconds=0"),
        MidRun("F12-full", "the queue is full", 4, "queue.*(full|quota|maximum entity size)", "name=F12-full&fromSeconds=0"),
        MidRun(
            "F12-claim",
            "the claim to send is missing in mid-run",
            4,
            "not authorized.*queue|queue.*not authorized|[Ss]end",
            "name=F12-claim&fromSeconds=0"
        ),
        Ends("F12-start", "the queue is gone from the start", 4, "queue.*not (found|exist)", "name=F12&fromSeconds=0"),
        Clean("F13", "uploads answered 503 with Retry-After", "name=F13"),
        Clean("F13-500", "uploads answered 500", "name=F13-500"),
        Clean("F13-408", "uploads answered 408", "name=F13-408"),
        Clean("F13-429", "uploads answered 429", "name=F13-429"),
        Clean("F14", "blobs stored, never answered", "name=F14") with
        {
            Sampled = true,
        },
        Ends("F16", "the archive container is missing", 4, "container 'archive'.*not (found|exist)", "name=F16"),
        Ends("F16-forbidden", "uploads are not authorized", 4, "not authorized", "name=F16-forbidden"),
        Clean("F17", "three checkpoint writes in ten fail", "name=F17&probability=0.3") with
        {
            Sampled = true,
        },
        Clean("F17-all", "all checkpoint writes fail for 60 s", "name=F17-all") with
        {
            Limit = Long,
        },
        WhileRunning("F17-while", "all checkpoint writes fail for 5 s", "name=F17-all&fromSeconds=0&toSeconds=5") with
        {
            Sampled = true,
        },
        Clean("F17-slow", "checkpoint writes take 2 s longer", "name=F17-slow"),
        MidRun("F18", "the checkpoint container is gone", 4, "checkpoints.*not (found|exist)", "name=F18&fromSeconds=0"),
        Clean("F25", "1 in 1,000 messages takes 2 s longer", "name=F25&every=200"),
        Clean("F25-all", "all writes take 100 ms longer", "name=F25-all"),
        Clean("F38", "a reader receives the error that its token has expired", "name=F38&fromSeconds=0"),
    ];

    private static FaultRow Clean(string id, string injected, params string[] faults) => new(id, injected) { Faults = faults, Expected = Expected.Clean };

    // A window of time is armed when the consumer writes: it may need longer than that to start.
    private static FaultRow WhileRunning(string id, string injected, params string[] faults) =>
        Clean(id, injected, faults) with
        {
            Arming = Arming.MidRun,
            Seconds = 6,
        };

    private static FaultRow Ends(string id, string injected, int exit, string error, params string[] faults) =>
        new(id, injected) { Faults = faults, Expected = new Expected(exit, error) };

    private static FaultRow MidRun(string id, string injected, int exit, string error, params string[] faults) =>
        Ends(id, injected, exit, error, faults) with
        {
            Arming = Arming.MidRun,
            Seconds = 6,
        };
}
