using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Running;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Judges cells, by the journal of an emulator that has ended or by what was read back. Writes the verdict into the result of each cell.</summary>
internal static class CellVerification
{
    // One reading of the journal serves this many cells, because reading takes most of the time. Each cell takes memory.
    private const int MaxConcurrency = 16;

    /// <summary>Judges every cell by a journal.</summary>
    public static IReadOnlyList<ComparedCell> Judge(ComparisonPlan plan, IReadOnlyList<FinishedCell> cells, ICellServices services, string journal)
    {
        var judged = new ComparedCell[cells.Count];
        foreach (
            var some in cells
                .Index()
                .GroupBy(static one => one.Item.Hub.Ledger, StringComparer.Ordinal)
                .SelectMany(static sharing => sharing.Chunk(MaxConcurrency))
        )
        {
            foreach (
                var (place, cell) in some.Select(static one => one.Index)
                    .Zip(JudgeTogether(plan, Array.ConvertAll(some, static one => one.Item), services, journal))
            )
            {
                judged[place] = cell;
            }
        }

        return judged;
    }

    private static IEnumerable<ComparedCell> JudgeTogether(ComparisonPlan plan, FinishedCell[] cells, ICellServices services, string journal)
    {
        var options = Array.ConvertAll(cells, cell => GetOptions(plan, cell.Cell, cell.Hub, services));
        var scopes = cells.Zip(options, (cell, run) => RunVerification.GetScope(run, services.GetSettings(cell.Cell, cell.Hub), named: true)).ToList();
        var judgements = VerdictReport.Of(cells[0].Hub.Ledger, journal, scopes, endedEarly: false);
        return cells.Select((cell, place) => GetCell(plan, cell, RunVerification.Limited(judgements[place], options[place])));
    }

    /// <summary>The consumer's record of a cell whose handlers are alone. Null for others.</summary>
    public static string? GetAcknowledgements(Cell cell, ICellServices services) =>
        HandlerRecord.IsNeeded(cell.ComparedConfiguration.Options) ? HandlerRecord.GetPath(services.Folder, cell.Names.Run) : null;

    /// <summary>What a cell ran, for its verdict.</summary>
    public static RunOptions GetOptions(ComparisonPlan plan, Cell cell, CellHub hub, ICellServices services) =>
        cell.ComparedConfiguration.Options with
        {
            // The events are stamped with the name of their sender.
            Run = hub.Sender,
            Measuring = new MeasuringTimes(plan.WarmUp, plan.Length),
            Outputs = new OutputOptions { Acknowledgements = GetAcknowledgements(cell, services) },
        };

    /// <summary>The result of a cell with its verdict.</summary>
    public static ComparedCell GetCell(ComparisonPlan plan, FinishedCell cell, VerdictReport verdictReport)
    {
        // A rate with lost events does not count. An unsafe strategy is compared in spite of its losses.
        var voids = verdictReport.Standing != SafetyVerdict.Clean && !cell.Cell.ComparedConfiguration.Options.Processing.Strategy.IsUnsafe;
        return new ComparedCell
        {
            Label = cell.Cell.ComparedConfiguration.Label,
            Block = cell.Cell.Block,
            OrderInBlock = cell.Cell.Place,
            Apart = cell.Apart ?? (voids ? verdictReport.Line : null),
            Mark = cell.Mark,
            ProfileMissedBy = cell.MissedBy,
            Search = cell.Search,
            Result = CellResultDocument.Of(plan, cell, verdictReport),
        };
    }
}
