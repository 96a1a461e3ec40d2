using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Safety.Rows;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Safety;

/// <summary>
/// Which cells are run. <c>SAFETY</c> is <c>whole</c>, <c>outdated</c> (those without a line of the current sources in docs/results), or rows with or
/// without a strategy (<c>F6,F17-all/outloop,whole/inloop</c>). F6 includes all of its kind too. Without it the sample is run. Each of its rows runs with
/// two of the four classic strategies and one of the others in turn, on the official clients. It runs again with a random seed and strategy (in CI the
/// same each time) on the built-in ones. <c>SAFETY_SEED</c> names one seed instead, <c>SAFETY_CLIENTS</c> one family of clients for every cell.
/// <c>SAFETY_KEEP=1</c> leaves ledger, journal and results of each cell in the folder for temporary files (<c>eht-cell-*</c>).
/// </summary>
internal static class Selection
{
    private const string Whole = "whole";
    private const string Outdated = "outdated";
    private const int FixedSeed = 1;

    private static readonly StrategyDescriptor[] Classic = [.. StrategyCatalog.Safe.Take(4)];
    private static readonly StrategyDescriptor[] Others = [.. StrategyCatalog.Safe.Skip(4)];
    private static readonly List<FaultRow> Sample = [.. FaultRows.All.Where(row => row.Sampled)];

    private static readonly string? Asked = Environment.GetEnvironmentVariable("SAFETY");
    private static readonly string? AskedSeed = Environment.GetEnvironmentVariable("SAFETY_SEED");
    private static readonly string? AskedClients = Environment.GetEnvironmentVariable("SAFETY_CLIENTS");

    // Read only when it is asked for.
    private static readonly Lazy<IReadOnlySet<(string Row, string Strategy)>> Current = new(static () =>
        MatrixReport.ReadCells(MatrixReport.PagePath, MeasuredCommit.HasCurrentSources)
    );

    /// <summary>Whether the outcomes are written to docs/results: of the whole and the outdated, or of some cells with <c>SAFETY_REPORT=1</c>.</summary>
    public static bool IsReported => Asked is Whole or Outdated || Environment.GetEnvironmentVariable("SAFETY_REPORT") == "1";

    /// <summary>The cells, those that may take longest first: what starts last should not be what ends last.</summary>
    public static IReadOnlyList<Cell> Cells { get; } =
    [
        .. from row in FaultRows.All
        from strategy in StrategyCatalog.Safe
        where !row.AcrossBatches || !strategy.IsBarrier
        from cell in GetCells(row, strategy)
        orderby row.Limit descending
        select cell,
    ];

    // The random seed also draws the strategy that it is tried with: twice the sample would cost twice the time.
    private static IEnumerable<Cell> GetCells(FaultRow row, StrategyDescriptor strategy)
    {
        if (IsAsked(row, strategy))
        {
            var seed = AskedSeed is null ? FixedSeed : int.Parse(AskedSeed, CultureInfo.InvariantCulture);
            yield return new Cell(row, strategy, seed, AskedClients ?? (row.OnBuiltInClients ? ClientFamily.BuiltIn.Name : ClientFamily.Official));
        }

        if (Asked is null && AskedSeed is null && row.Sampled)
        {
            var drawn = new Cell(row, strategy, RandomSeed.Value, AskedClients ?? ClientFamily.BuiltIn.Name);
            if (StrategyCatalog.Safe[(int)(drawn.Draw(0) * StrategyCatalog.Safe.Count)] == strategy)
            {
                yield return drawn;
            }
        }
    }

    private static bool IsAsked(FaultRow row, StrategyDescriptor strategy) =>
        Asked switch
        {
            null => row.Sampled && (row.AcrossBatches || GetDrawn(row).Contains(strategy)),
            Whole => true,
            Outdated => !Current.Value.Contains((row.Id, strategy.Name)),
            _ => Asked.Split(',').Select(part => part.Split('/')).Any(part => IsOf(row.Id, part[0]) && (part.Length == 1 || part[1] == strategy.Name)),
        };

    // Each row of the sample with two of the four classic strategies, and with one of the others: the time of the sample must not grow with the catalogue.
    private static StrategyDescriptor[] GetDrawn(FaultRow row)
    {
        var turn = Sample.IndexOf(row);
        return [Classic[turn % 2], Classic[(turn % 2) + 2], Others[turn % Others.Length]];
    }

    private static bool IsOf(string id, string asked) => asked == Whole || id == asked || id.StartsWith(asked + "-", StringComparison.Ordinal);

    private static class RandomSeed
    {
        public static int Value { get; } = Budget.DrawSeed();
    }
}
