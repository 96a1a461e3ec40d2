using System.Globalization;
using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Safety.Scripts;

namespace EventHubThroughput.Safety.Rows;

/// <summary>SIGKILL at every kill point, with the same and with a new identifier afterwards (F1).</summary>
internal static class KillRows
{
    private const string Poisoned = "name=poison&at=messageSend&do=refuse&reason=too-large&detail=hub-0-40";

    public static IReadOnlyList<FaultRow> All { get; } = [.. Points().SelectMany(static point => new[] { Row(point, "one"), Row(point, "two") })];

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
                        // With both writes at once the blob is often the first.
                        3 => 100,
                        <= 6 => 1_000,
                        11 or 12 => 4,
                        _ => 1,
                    }
                )
            );

    private static FaultRow Row((string Name, int Times) point, string next) =>
        new($"F1-{point.Name}{(next == "one" ? "" : "-other")}", $"SIGKILL at {point.Name}, {(next == "one" ? "same" : "new")} identifier")
        {
            Faults = point.Name == "K14" ? [Poisoned] : [],
            Options = point.Name == "K14" ? "--on-poison deadletter" : "",
            Script = Ends.KilledAt(point.Name, point.Times, next),
            Expected = Expected.Clean,
            KilledWhileWriting = point.Name == "K13",
            Also = point.Name == "K14" ? Checks.DeadLetters(1) : static _ => null,
        };
}
