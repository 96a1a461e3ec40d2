using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Running;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Judges every cell when the emulator has ended and its journal is whole. Writes the verdict into the result of each cell.</summary>
internal static class CellVerification
{
    // One reading of the journal serves this many cells, because reading takes most of the time. Each cell takes memory.
    private const int MaxConcurrency = 16;

    public static IReadOnlyList<ComparedCell> Judge(ComparisonPlan plan, IReadOnlyList<FinishedCell> cells, EmbeddedServices services)
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
                var (place, cell) in some.Select(static one => one.Index).Zip(JudgeTogether(plan, Array.ConvertAll(some, static one => one.Item), services))
            )
            {
                judged[place] = cell;
            }
        }

        return judged;
    }

    private static IEnumerable<ComparedCell> JudgeTogether(ComparisonPlan plan, FinishedCell[] cells, EmbeddedServices services)
    {
        var options = Array.ConvertAll(cells, cell => GetOptions(plan, cell, services));
        var scopes = cells.Zip(options, (cell, run) => RunVerification.GetScope(run, cell.Cell.Names.Of(services.Settings, cell.Hub), named: true)).ToList();
        var judgements = VerdictReport.Of(cells[0].Hub.Ledger, services.Journal, scopes, endedEarly: false);
        return cells.Select((cell, place) => GetCell(plan, cell, RunVerification.Limited(judgements[place], options[place])));
    }

    /// <summary>The consumer's record of a cell whose handlers are alone. Null for others.</summary>
    public static string? GetAcknowledgements(Cell cell, EmbeddedServices services) =>
        HandlerRecord.IsNeeded(cell.ComparedConfiguration.Options) ? HandlerRecord.GetPath(services.Folder, cell.Names.Run) : null;

    private static RunOptions GetOptions(ComparisonPlan plan, FinishedCell cell, EmbeddedServices services) =>
        cell.Cell.ComparedConfiguration.Options with
        {
            // The events are stamped with the name of their sender.
            Run = cell.Hub.Sender,
            Measuring = new MeasuringTimes(plan.WarmUp, plan.Length),
            Outputs = new OutputOptions { Acknowledgements = GetAcknowledgements(cell.Cell, services) },
        };

    private static ComparedCell GetCell(ComparisonPlan plan, FinishedCell cell, VerdictReport verdictReport)
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
