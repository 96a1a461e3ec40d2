using System.Globalization;

namespace EventHubThroughput.Load;

/// <summary>
/// The rule for the lag of a soak: of ten turns in succession, at least one ends with no more than what is sent in two seconds. A fault may stop the consumer for
/// its whole turn, and the consumer needs as long again to catch up. A lag that stays shows that the rate is above what the consumer does under faults.
/// </summary>
/// <param name="rate">Events sent a second.</param>
internal sealed class SoakLag(int rate)
{
    private const int Turns = 10;
    private const int Seconds = 2;

    private readonly List<(string Fault, long Lag)> ends = [];

    /// <summary>The largest lag at the end of a turn of each fault.</summary>
    public IReadOnlyDictionary<string, long> Largest =>
        ends.GroupBy(static end => end.Fault, StringComparer.Ordinal)
            .ToDictionary(static same => same.Key, static same => same.Max(static end => end.Lag), StringComparer.Ordinal);

    private long Most => (long)rate * Seconds;

    /// <summary>Records the lag at the end of a turn.</summary>
    public void EndTurn(string fault, long lag) => ends.Add((fault, lag));

    /// <summary>Returns whether the lag returned each time, and a line about it.</summary>
    public (bool Passed, string Line) Judge()
    {
        var (longest, current, from) = (0, 0, 0);
        for (var turn = 0; turn < ends.Count; turn++)
        {
            current = ends[turn].Lag > Most ? current + 1 : 0;
            (longest, from) = current > longest ? (current, turn - current + 1) : (longest, from);
        }

        var passed = longest < Turns;
        var most = ends.Count > 0 ? ends.Max(static end => end.Lag) : 0;
        return (
            passed,
            passed
                ? Text(
                    $"lag at the end of a turn: at most {most} events, and above {Most} (2 s) in at most {longest} {(longest == 1 ? "turn" : "turns")} in succession"
                )
                : Text($"lag: above {Most} events (2 s) at the end of {longest} turns in succession, from {ends[from].Fault} on. {Turns - 1} are allowed")
        );
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
