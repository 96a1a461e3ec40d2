using System.Globalization;

namespace EventHubThroughput.Load;

/// <summary>The figures of one round of a family or library: operations a second, and the resources of the clients' process for each.</summary>
internal readonly record struct FamilyRound(double Rate, double Microseconds, double Bytes);

/// <summary>The rounds of one load with every family, as one row of a table.</summary>
internal sealed class FamilyFigures(string name, IReadOnlyList<string> families)
{
    private readonly List<FamilyRound>[] rounds = [.. families.Select(static _ => new List<FamilyRound>())];

    public string Name => name;

    /// <summary>The family whose figures are divided by those of the first. The default is the last one.</summary>
    public string Compared { get; init; } = families[^1];

    /// <summary>The largest difference of the median rates from that of the first family, 0.05 for 5 %.</summary>
    public double LargestDifference => rounds.Max(own => Math.Abs((GetRate(own) / GetRate(rounds[0])) - 1));

    public static string Heading(string title, IReadOnlyList<string> families, string unit = "event")
    {
        var names = string.Join(" | ", families);
        return $"| {title} | {unit}s/s: {names} | ratio | us/{unit}: {names} | ratio | bytes/{unit}: {names} | ratio |\n"
            + $"|---|{string.Concat(Enumerable.Repeat("--:|", 3 * (families.Count + 1)))}";
    }

    /// <summary>Adds a round that was measured together with that of another row.</summary>
    public void Add(string family, FamilyRound round) => rounds[IndexOf(family)].Add(round);

    /// <summary>The rounds of a family, in the order in which they were measured.</summary>
    public IReadOnlyList<FamilyRound> GetRounds(string family) => rounds[IndexOf(family)];

    /// <summary>
    /// Measures every family in each round. Each comes first equally often, and before and after each other one equally often. So drift and state that a
    /// family leaves in the process favour none.
    /// </summary>
    public async Task MeasureAsync(int count, Func<string, Task<FamilyRound>> measure)
    {
        for (var round = 0; round < count; round++)
        {
            foreach (var turn in GetOrder(round, families.Count))
            {
                GC.Collect();
                rounds[turn].Add(await measure(families[turn]));
            }
        }
    }

    /// <summary>The order of the families in a round: each rotation forwards, then backwards. With three families, six rounds have all orders.</summary>
    public static IEnumerable<int> GetOrder(int round, int families)
    {
        var forwards = Enumerable.Range(0, families).Select(step => ((round / 2) + step) % families);
        return round % 2 == 0 ? forwards : forwards.Reverse();
    }

    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"| {name} | {Cells(static one => one.Rate, "F1")} | {Cells(static one => one.Microseconds, "F1")} | {Cells(static one => one.Bytes, "F0")} |"
        );

    private static double GetRate(List<FamilyRound> own) => own.Select(static one => one.Rate).Median();

    private int IndexOf(string family) => families.ToList().IndexOf(family);

    // The medians of all families, and the ratio of the compared family to the first.
    private string Cells(Func<FamilyRound, double> figure, string format)
    {
        var medians = rounds.Select(own => own.Select(figure).Median()).ToList();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{string.Join(" | ", medians.Select(median => median.ToString(format, CultureInfo.InvariantCulture)))} | {medians[IndexOf(Compared)] / medians[0]:F2}"
        );
    }
}
