using System.Globalization;
using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Safety.Scripts;

namespace EventHubThroughput.Safety.Rows;

/// <summary>SIGKILL at every kill point, with the same and with a new identifier afterwards (F1).</summary>
internal static class KillRows
{
    private const string Poisoned = "name=poison&at=messageSend&do=refuse&reason=too-large&detail=hub-0-40";

    // Of the row in which a slow event is left open: batches of 50, so that the kill comes when three or four of them are open.
    private const int Window = 200;
    private const int ReplayLimit = 260;
    private const int LeastFinished = 100;

    public static IReadOnlyList<FaultRow> All { get; } =
    [.. Points().SelectMany(static point => new[] { Row(point, "one"), Row(point, "two") }), Behind("one"), Behind("two")];

    // How often a point is passed at the most when the kill is drawn: each event, each batch, or the end alone.
    private static IEnumerable<(string Name, int Times)> Points() =>
        Enumerable
            .Range(1, 14)
            .Select(static number =>
                (
                    string.Create(CultureInfo.InvariantCulture, $"K{number}"),
                    Times: number switch
                    {
                        1 or (>= 7 and <= 10) => 20,
                        // With both writes in flight together the blob is often the first.
                        3 => 100,
                        <= 6 => 1_000,
                        11 or 12 => 4,
                        _ => 1,
                    }
                )
            );

    // The first message gets no answer, so that no checkpoint is stored: every event that was begun comes again, counted in the journal, and no
    // more of them than the limit.
    private static FaultRow Behind(string next) =>
        new($"F1-behind{(next == "one" ? "" : "-other")}", $"SIGKILL with several batches after a slow event, {(next == "one" ? "same" : "new")} identifier")
        {
            Faults = ["name=slow&at=messageSend&do=delay&ms=60000&detail=hub-0-0&limit=1"],
            Emulator = "--partitions 1",
            Options = $"--window {Window} --checkpoint-events 50 --replay-limit {ReplayLimit}",
            Script = Ends.KilledAt("K6", first: LeastFinished, times: 30, next),
            Expected = Expected.Clean,
            AcrossBatches = true,
            Sampled = next == "one",
            Also = static facts =>
                facts.Verdict.ReplayExact is >= LeastFinished and <= ReplayLimit
                    ? null
                    : $"{facts.Verdict.ReplayExact} events were begun above the checkpoint, expected {LeastFinished} to {ReplayLimit}",
        };

    private static FaultRow Row((string Name, int Times) point, string next) =>
        new($"F1-{point.Name}{(next == "one" ? "" : "-other")}", $"SIGKILL at {point.Name}, {(next == "one" ? "same" : "new")} identifier")
        {
            Faults = point.Name == "K14" ? [Poisoned] : [],
            Options = point.Name == "K14" ? "--on-poison deadletter" : "",
            Script = Ends.KilledAt(point.Name, first: 1, point.Times, next),
            Expected = Expected.Clean,
            KilledWhileWriting = point.Name == "K13",
            Also = point.Name == "K14" ? Checks.DeadLetters(1) : static _ => null,
        };
}
