using System.Globalization;

namespace EventHubThroughput.Load;

/// <summary>
/// The rules of a soak. Memory and handles must not grow by more than a tenth from the first third to the last. All work must advance in every row.
/// The first tenth is ignored, because clients start and retention fills.
/// </summary>
internal sealed class SoakWatch
{
    private const double LargestGrowth = 1.10;

    private readonly List<(long Resident, int Handles)> _samples = [];
    private readonly List<IReadOnlyList<(string What, long Count)>> _rows = [];

    public void Sample(long resident, int handles) => _samples.Add((resident, handles));

    /// <summary>Ends a row.</summary>
    /// <param name="sinceStart">The kinds of work and their counts since the start, the same kinds in each row.</param>
    public void EndRow(params IReadOnlyList<(string What, long Count)> sinceStart) => _rows.Add(sinceStart);

    /// <summary>Returns whether the soak passed, and a line for each of memory, handles and progress.</summary>
    public (bool Passed, IReadOnlyList<string> Lines) Judge()
    {
        var memory = Growth("resident memory, MB", static sample => sample.Resident / 1e6);
        var handles = Growth("handles", static sample => sample.Handles);
        var progress = Stalls().ToList();
        return (
            memory.Flat && handles.Flat && progress.Count == 0,
            [memory.Line, handles.Line, progress.Count == 0 ? "progress: in every row" : $"progress: {string.Join("; ", progress)}"]
        );
    }

    private (bool Flat, string Line) Growth(string what, Func<(long Resident, int Handles), double> measure)
    {
        var settled = _samples.Skip(_samples.Count / 10).Select(measure).ToList();
        var third = Math.Max(1, settled.Count / 3);
        var (first, last) = (settled.Take(third).Average(), settled.TakeLast(third).Average());
        var flat = last <= first * LargestGrowth;
        return (
            flat,
            string.Create(
                CultureInfo.InvariantCulture,
                $"{what}: {first:F0} on average in the first third, {last:F0} in the last ({Math.Round(100 * ((last / first) - 1), 1) + 0.0:+0.0;-0.0;0.0} %): {(flat ? "flat" : "growing")}"
            )
        );
    }

    private IEnumerable<string> Stalls()
    {
        if (_rows.Count == 0)
        {
            yield return "no row";
        }

        for (var row = _rows.Count / 10; row < _rows.Count; row++)
        {
            for (var kind = 0; kind < _rows[row].Count; kind++)
            {
                var (what, count) = _rows[row][kind];
                if (count <= (row == 0 ? 0 : _rows[row - 1][kind].Count))
                {
                    yield return $"in row {row + 1} nothing was {what}";
                }
            }
        }
    }
}
