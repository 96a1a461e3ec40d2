using System.Globalization;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Reporting;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>The conclusions from the cells of a processor sweep, the answer first.</summary>
internal static class MessageSweepSentences
{
    private const double NearBest = 0.95;
    private const double Noticeable = 1.03;

    /// <param name="cells">Every cell.</param>
    public static IReadOnlyList<string> Of(IReadOnlyList<MessageCell> cells)
    {
        List<string> sentences = [];
        var measured = cells.Where(static cell => cell.MessagesPerS is not null).ToList();
        foreach (var limits in measured.GroupBy(static cell => (Clients: cell.Point.ClientsText, cell.Point.Cores, cell.Point.MemoryGib)))
        {
            sentences.Add(Saturation(limits.Key, [.. limits]));
        }

        sentences.AddRange(BuildComparison.Of(measured).Select(static compared => compared.Sentence));
        sentences.AddRange(GetThreads(measured));
        sentences.AddRange(Doubts(cells, measured));
        return sentences.Count > 0 ? sentences : ["No cell was measured."];
    }

    private static string Saturation((string Clients, int Cores, int MemoryGib) limits, List<MessageCell> cells)
    {
        var rates = cells
            .GroupBy(static cell => cell.Point.Concurrency)
            .Select(static same => (Concurrency: same.Key, Rate: same.Max(static cell => cell.MessagesPerS!.Value)))
            .OrderBy(static row => row.Concurrency)
            .ToList();
        var best = rates.MaxBy(static row => row.Rate);
        var where = Text($"{limits.Clients}, {limits.Cores} {(limits.Cores == 1 ? "core" : "cores")}, {limits.MemoryGib} GiB");
        var first = Text($"{where}: {Figures.Rate(best.Rate)} messages/s at concurrency {best.Concurrency}.");
        if (rates.Count == 1)
        {
            return first;
        }

        var enough = rates.First(row => row.Rate >= NearBest * best.Rate).Concurrency;
        var edge = enough == rates[^1].Concurrency ? ", the highest that was run. A higher one may be faster" : "";
        return Text($"{first} {NearBest:P0} of that are reached from concurrency {enough} on{edge}.");
    }

    // The same point with the pool's own threads and with more.
    private static IEnumerable<string> GetThreads(List<MessageCell> measured)
    {
        if (ThreadComparison.Of(measured) is { Count: > 0 } compared)
        {
            yield return Conclude(compared);
        }

        foreach (var few in FewThreads.Of(measured))
        {
            yield return few.Sentence;
        }

        foreach (var small in measured.Where(static cell => !cell.Point.IsFixed && cell.Point.Threads > 0 && cell.Point.Threads < cell.Point.Concurrency))
        {
            yield return Text($"Warning: at {small.Point} the minimum of threads is below the concurrency. Handlers that block would wait for each other.");
        }
    }

    // A single cell may have been slow.
    private static string Conclude(IReadOnlyList<ThreadComparison> compared)
    {
        var repeated = compared.Where(static one => one.IsRepeated).ToList();
        if (repeated.Count == 0)
        {
            return Text(
                $"Threads: no conclusion. {MedianInterval.FewestForInterval} cells of a point are needed with the default thread pool and with more threads (--repeats {MedianInterval.FewestForInterval})."
            );
        }

        var most = repeated.MaxBy(static one => one.Gain)!;
        var starved = repeated.Where(static one => one.IsSlowerThroughout && one.Gain > Noticeable).ToList();
        return starved.Count > 0
                ? Text(
                    $"Warning: the default thread pool is too small at {starved.Count} of {repeated.Count} points with repeated cells. At {starved.MaxBy(static one => one.Gain)!.Point} more threads gave {starved.Max(static one => one.Gain):0.00} times the rate. Set its minimum a little above the concurrency (concurrency + 4)."
                )
            : most.Gain > Noticeable
                ? Text(
                    $"Threads: not decided. At {most.Point} more threads gave {most.Gain:0.00} times the rate, but some cells with the default thread pool were as fast."
                )
            : Text(
                $"Threads: a minimum above the concurrency (concurrency + 4) gained at most {Noticeable - 1:P0} at any of {repeated.Count} points with repeated cells, because a handler that awaits holds no thread. It is needed where handlers block."
            );
    }

    private static IEnumerable<string> Doubts(IReadOnlyList<MessageCell> cells, List<MessageCell> measured)
    {
        foreach (
            var (bound, what) in new[]
            {
                ("input", "input-bound: the input was less than 1.2 times the messages processed, or none were left"),
                ("emulator", "emulator-bound: all processes together used more than 90 % of this machine, so the machine was the limit, not the processor"),
                ("profile", "the emulator could not keep the profile's latencies"),
                ("lost", "FAILED: fewer messages arrived than were forwarded"),
            }
        )
        {
            if (measured.Count(cell => cell.Bounds.Contains(bound)) is > 0 and var count)
            {
                yield return Text($"{count} of {measured.Count} cells: {what}.");
            }
        }

        if (measured.Count > 0 && measured.TrueForAll(static cell => !cell.Bounds.Contains("input") && !cell.Bounds.Contains("emulator")))
        {
            yield return "In every cell the input was above the rate, and the service was below its limit.";
        }

        if (measured.Count > 0)
        {
            yield return Text($"{measured.Sum(static cell => cell.LocksLost ?? 0)} locks were lost in {measured.Count} cells.");
        }

        foreach (var failed in cells.Where(static cell => cell.Failure is not null))
        {
            yield return $"No result for {failed.Point}: {failed.Failure}.";
        }
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
