using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Safety.Rows;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Safety;

/// <summary>
/// Which cells are run. <c>SAFETY</c> is <c>whole</c>, or rows with or without a strategy (<c>F6,F17-all/outloop,whole/inloop</c>; F6
/// stands for all of its kind too); without it the sample is run, once with a fixed seed and once with a random one. <c>SAFETY_SEED</c> names
/// one seed instead, <c>SAFETY_CLIENTS</c> the family of clients that sends and consumes.
/// </summary>
internal static class Selection
{
    public const string Whole = "whole";
    private const int FixedSeed = 1;

    private static readonly string? Asked = Environment.GetEnvironmentVariable("SAFETY");
    private static readonly string? AskedSeed = Environment.GetEnvironmentVariable("SAFETY_SEED");

    /// <summary>Who speaks to the services.</summary>
    public static string Clients { get; } = Environment.GetEnvironmentVariable("SAFETY_CLIENTS") ?? ClientFamily.BuiltIn.Name;

    public static bool IsWhole => Asked == Whole;

    /// <summary>Whether the outcomes are written to docs/results: of the whole, or of some cells with <c>SAFETY_REPORT=1</c>.</summary>
    public static bool IsReported => IsWhole || Environment.GetEnvironmentVariable("SAFETY_REPORT") == "1";

    /// <summary>The cells, those that may take longest first: what starts last should not be what ends last.</summary>
    public static IReadOnlyList<Cell> Cells { get; } =
    [
        .. from row in FaultRows.All
        from strategy in StrategyCatalog.All
        where IsAsked(row, strategy.Name)
        from seed in Seeds(row, strategy)
        orderby row.Limit descending
        select new Cell(row, strategy, seed),
    ];

    // The random seed also draws the strategy that it is tried with: twice the sample would cost twice the time.
    private static IEnumerable<int> Seeds(FaultRow row, StrategyDescriptor strategy)
    {
        if (AskedSeed is not null)
        {
            return [int.Parse(AskedSeed, CultureInfo.InvariantCulture)];
        }

        Cell drawn = new(row, strategy, RandomSeed.Value);
        bool random = Asked is null && StrategyCatalog.All[(int)(drawn.Draw(0) * StrategyCatalog.All.Count)] == strategy;
        return random ? [FixedSeed, RandomSeed.Value] : [FixedSeed];
    }

    private static bool IsAsked(FaultRow row, string strategy) =>
        Asked switch
        {
            null => row.Sampled,
            Whole => true,
            _ => Asked.Split(',').Select(part => part.Split('/')).Any(part => IsOf(row.Id, part[0]) && (part.Length == 1 || part[1] == strategy)),
        };

    private static bool IsOf(string id, string asked) => asked == Whole || id == asked || id.StartsWith(asked + "-", StringComparison.Ordinal);

    private static class RandomSeed
    {
        public static int Value { get; } = Random.Shared.Next(2, 1_000_000);
    }
}
