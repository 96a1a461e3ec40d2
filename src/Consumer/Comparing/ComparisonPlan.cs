using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Consumer.Configuration;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>What a comparison was asked to do, every default filled in.</summary>
internal sealed record ComparisonPlan
{
    /// <summary>The name of the comparison, in its files and in what its emulator holds.</summary>
    public required string Id { get; init; }

    /// <summary>What is compared; ratios refer to the first.</summary>
    public required IReadOnlyList<Contender> Contenders { get; init; }

    /// <summary>Blocks that count; in each every contender is run once, and the first one once more at the end.</summary>
    public required int Repeats { get; init; }

    /// <summary>Decides the order within the blocks, and the resamples of the intervals.</summary>
    public required int Seed { get; init; }

    /// <summary>What is left out of each cell.</summary>
    public required TimeSpan WarmUp { get; init; }

    /// <summary>For how long each cell is measured.</summary>
    public required TimeSpan Length { get; init; }

    /// <summary>What every cell processes, and the emulator that it does so on.</summary>
    public required EmbeddedOptions Load { get; init; }

    /// <summary>The batch and the degree of those that were named without their own.</summary>
    public required (int Batch, int Degree) Usual { get; init; }

    /// <summary>The command line, for whoever wants to run it again.</summary>
    public required string Command { get; init; }

    /// <summary>Where the results go as JSON; null writes none.</summary>
    public string? Output { get; init; }

    /// <summary>Where the report goes, as HTML, Markdown or CSV by its ending; null writes none.</summary>
    public string? Report { get; init; }

    /// <summary>What the programs log that are started.</summary>
    public LogChoice Log { get; init; } = LogChoice.Nothing;

    /// <summary>What ratios refer to.</summary>
    public Contender Reference => Contenders[0];

    /// <summary>Blocks that are run at most, those included that are discarded: a third of them and no more.</summary>
    public int MostBlocks => Repeats < LeastForIntervals ? Repeats : Repeats + (Repeats / 2);

    /// <summary>Cells of a block: the reference twice.</summary>
    public int CellsOfBlock => Contenders.Count + 1;

    /// <summary>Blocks without which there is no interval.</summary>
    public const int LeastForIntervals = 5;
}
