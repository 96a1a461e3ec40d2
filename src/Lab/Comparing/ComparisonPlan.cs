using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing.Sweeping;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry.Logs;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The options of a comparison, every default filled in.</summary>
internal sealed record ComparisonPlan
{
    private static readonly TimeSpan SentBeyond = TimeSpan.FromSeconds(2);

    /// <summary>The name of the comparison, in its files and in what its emulator holds.</summary>
    public required string Id { get; init; }

    /// <summary>What is compared. Ratios refer to the first.</summary>
    public required IReadOnlyList<ComparedConfiguration> Configurations { get; init; }

    /// <summary>Blocks that count. In each block every configuration runs once, and the first one runs again at the end.</summary>
    public required int Repeats { get; init; }

    /// <summary>Decides the order within the blocks, and the resamples of the intervals.</summary>
    public required int Seed { get; init; }

    /// <summary>What is left out of each cell.</summary>
    public required TimeSpan WarmUp { get; init; }

    /// <summary>For how long each cell is measured.</summary>
    public required TimeSpan Length { get; init; }

    /// <summary>What every cell processes, and the emulator that it does so on.</summary>
    public required LoadOptions Load { get; init; }

    /// <summary>The services that it runs on. Null starts an emulator.</summary>
    public ComparisonServices? Services { get; init; }

    /// <summary>The machine that measured the cells, where they are concluded again. Null is this machine, now.</summary>
    public MachineDetails? MeasuredOn { get; init; }

    /// <summary>Events a second that are sent while a cell is run, others from a time on. Null where the hub is filled before.</summary>
    public IReadOnlyList<(double PerSecond, TimeSpan From)>? Rates { get; init; }

    /// <summary>Whether the largest rate is searched that each keeps.</summary>
    public bool IsSearch { get; init; }

    /// <summary>The grid of a sweep, each point of which is a configuration. Empty for a comparison.</summary>
    public IReadOnlyList<SweepPoint> Sweep { get; init; } = [];

    /// <summary>What ten thousand operations of the checkpoint store cost. Null where no price was given.</summary>
    public double? Price { get; init; }

    /// <summary>The arguments after <c>consumer</c>, for running it again.</summary>
    public required IReadOnlyList<string> Arguments { get; init; }

    /// <summary>Where the results go as JSON. Null writes none.</summary>
    public string? Output { get; init; }

    /// <summary>Where the report goes, as HTML, Markdown or CSV by its ending. Null writes none.</summary>
    public string? Report { get; init; }

    /// <summary>Its gates.</summary>
    public ComparisonGates Gates { get; init; } = new([], null, null);

    /// <summary>Where the metrics of the current cell are served. Null serves none.</summary>
    public MetricsOptions? Metrics { get; init; }

    /// <summary>The log settings of the programs that are started.</summary>
    public LogChoice Log { get; init; } = LogChoice.Nothing;

    /// <summary>What an earlier part of the same comparison has left. This part continues after its whole blocks. Null starts a new comparison.</summary>
    public ComparisonResult? Resumed { get; init; }

    /// <summary>The cells of its whole blocks.</summary>
    public IReadOnlyList<ComparedCell> Earlier =>
        Resumed is null
            ? []
            : [.. Resumed.Cells.GroupBy(static cell => cell.Block).Where(block => block.Count() == CellsOfBlock).SelectMany(static block => block)];

    /// <summary>The block to continue with.</summary>
    public int FirstBlock => Earlier.Count == 0 ? 0 : Earlier.Max(static cell => cell.Block) + 1;

    /// <summary>How many of the earlier blocks count.</summary>
    public int GoodEarlier => Blocks.Of(this, Earlier).Values.Count(block => DriftRule.Counts(block, Reference.Label, Repeats));

    /// <summary>Whether there are too few blocks for an interval, so that nothing is concluded.</summary>
    public bool IsIndication => Repeats < MedianInterval.FewestForInterval;

    /// <summary>Whether events are sent on a schedule, independent of whether earlier events are complete.</summary>
    public bool IsOpenLoop => Rates is not null || IsSearch;

    /// <summary>The figure that is compared.</summary>
    public ComparedBy By =>
        IsSearch ? ComparedBy.Sustained
        : IsOpenLoop ? ComparedFigure.OfLatency(EventsMeasured)
        : ComparedBy.Rate;

    /// <summary>How many events of a cell are measured when they are sent at a rate.</summary>
    public long EventsMeasured => EventsBefore(WarmUp + Length) - EventsBefore(WarmUp);

    /// <summary>The number of events that are scheduled before that much time has passed.</summary>
    public long EventsBefore(TimeSpan time) => new SendSchedule(Rates).EventsBefore(time) ?? 0;

    /// <summary>The same with events sent at this rate.</summary>
    public ComparisonPlan At(double rate) =>
        this with
        {
            Rates = [(rate, TimeSpan.Zero)],
            Load = Load with { Rate = LoadText.OfRates([(rate, TimeSpan.Zero)]) },
        };

    /// <summary>
    /// The most events that are sent to a cell at a rate. They continue a little beyond the section, because the consumer closes it at a completion.
    /// </summary>
    public long MostSent => EventsBefore(WarmUp + Length + SentBeyond);

    /// <summary>What ratios refer to.</summary>
    public ComparedConfiguration Reference => Configurations[0];

    /// <summary>Blocks that are run at most, those included that are discarded.</summary>
    public int MostBlocks => DriftRule.MostBlocks(Repeats);

    /// <summary>Cells that are still to run, if no block is discarded.</summary>
    public int PlannedCells => (Repeats - GoodEarlier) * CellsOfBlock;

    /// <summary>Cells of a block: the reference twice.</summary>
    public int CellsOfBlock => Configurations.Count + 1;
}
