using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Sweeping;
using EventHubThroughput.Lab.Harness;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>Runs a comparison: starts its services, runs block after block, then computes the verdicts and the exit code.</summary>
/// <param name="plan">The comparison.</param>
/// <param name="start">Starts the services and fills the hub.</param>
/// <param name="console">Where to write.</param>
/// <param name="signals">The signals that end it early.</param>
/// <param name="clock">The clock.</param>
internal sealed class ComparisonRun(
    ComparisonPlan plan,
    Func<CancellationToken, Task<ICellServices>> start,
    CommandConsole console,
    StopSignals signals,
    TimeProvider clock
)
{
    private readonly List<FinishedCell> finished = [];
    private readonly DateTimeOffset startedUtc = clock.GetUtcNow();
    private readonly long startedAt = clock.GetTimestamp();
    private OverheadDetails? overhead = plan.Resumed?.Overhead;

    /// <summary>Runs a comparison on the services of its plan, or on an emulator.</summary>
    public static Task<int> RunAsync(ComparisonPlan plan, CommandConsole console, StopSignals signals, TimeProvider clock) =>
        plan.Services is not null && plan.GoodEarlier < plan.Repeats
            ? new ServiceComparison(plan, console, signals, clock).RunAsync()
            : new ComparisonRun(plan, async token => await EmulatorCells.StartAsync(plan, clock, token), console, signals, clock).RunAsync();

    public async Task<int> RunAsync()
    {
        ComparisonFiles.EnsureWritable(plan.Output, plan.Report, plan.Gates.JUnit);

        if (plan.GoodEarlier >= plan.Repeats)
        {
            await console.Error.WriteLineAsync("compare: every requested cell is in the file, so no cell is run");
            return Conclude([], complete: true);
        }

        await using var progress = new ComparisonProgress(plan, console.Error, clock);
        progress.Begin();
        try
        {
            // Measured before other work uses the processors.
            overhead = await HarnessOverhead.MeasureAsync(clock, signals.First);
            await using var served = plan.Metrics is { } metrics
                ? await ServedCells.StartAsync(plan.Id, metrics, console.Error.WriteLine, signals.First)
                : null;
            await using var services = await start(signals.First);
            var complete = await RunBlocksAsync(services, served, progress);
            await (finished.Count > 0 && plan.Services is null ? progress.JudgingAsync() : Task.CompletedTask);
            return Conclude(await services.JudgeAsync(plan, finished), complete);
        }
        catch (Exception exception) when (IsInterruption(exception) && finished.Count == 0)
        {
            return Conclude([], complete: false);
        }
        catch (MessagingException failure)
        {
            throw new FailureException(FailureCause.Dependency, failure.Message, failure);
        }
    }

    // Runs until enough blocks are valid or too many are not. Returns whether it ended without a signal, with the cells that are complete.
    private async Task<bool> RunBlocksAsync(ICellServices services, ServedCells? served, ComparisonProgress progress)
    {
        var good = plan.GoodEarlier;
        await using var consumers = new CellConsumers(services, plan.Log, clock, progress.Show);
        CellProcess GetProcess(ComparisonPlan at) => new(at, services, consumers, served, clock);
        for (var block = plan.FirstBlock; DriftRule.WantsAnother(block, good, plan.Repeats); block++)
        {
            Cell[] cells = [.. GetCells(block)];
            for (var place = 0; place < cells.Length; place++)
            {
                var cell = cells[place] with { HopelessBelow = HopelessBelow(cells[place].ComparedConfiguration.Label) };
                progress.Starts(cell);
                try
                {
                    var ended = await RunAsync(cell, cells.ElementAtOrDefault(place + 1), GetProcess, progress);
                    if (ended.Failure is not null && signals.First.IsCancellationRequested)
                    {
                        return false;
                    }

                    finished.Add(ended);
                }
                catch (Exception exception) when (IsInterruption(exception))
                {
                    return false;
                }

                progress.Ended(finished[^1]);
            }

            var counts = Blocks.Counts(plan, finished, block);
            good += counts ? 1 : 0;
            progress.BlockEnded(block, counts);
        }

        return true;
    }

    // A terminal sends the signal to emulator and consumers too. Their end is then a part of the interruption.
    private bool IsInterruption(Exception exception) =>
        signals.First.IsCancellationRequested && exception is (OperationCanceledException or FailureException or MessagingException);

    private Task<FinishedCell> RunAsync(Cell cell, Cell? next, Func<ComparisonPlan, CellProcess> getProcess, ComparisonProgress progress)
    {
        return plan.IsSearch
            ? new RateSearch(plan, (at, one, token) => RunAtAsync(at, one, null, token), progress.Tried).RunAsync(cell, signals.First)
            : RunAtAsync(plan, cell, next, signals.First);

        Task<FinishedCell> RunAtAsync(ComparisonPlan at, Cell one, Cell? after, CancellationToken cancellationToken) =>
            getProcess(at).RunAsync(one, after, cancellationToken);
    }

    private IEnumerable<Cell> GetCells(int block) =>
        BlockOrder
            .Of(plan.Configurations.Select(static configuration => configuration.Label), plan.Reference.Label, plan.Seed, block)
            .Select(
                (label, place) =>
                    new Cell(
                        plan.Configurations.Single(configuration => configuration.Label == label),
                        block,
                        place,
                        new CellNames(plan.Id, (block * plan.CellsOfBlock) + place) { HasTopic = plan.Load.Topic }
                    )
            );

    // A search runs at low rates intentionally.
    private double? HopelessBelow(string label) =>
        plan.IsSearch || label == plan.Reference.Label
            ? null
            : EarlyStopping.Below(
                plan.Sweep,
                label,
                finished.Where(static cell => cell.Apart is null).Select(static cell => (cell.Cell.ComparedConfiguration.Label, cell.EventsPerSecond))
            );

    private int Conclude(IReadOnlyList<ComparedCell> judged, bool complete)
    {
        var cells = (ComparedCell[])[.. plan.Earlier, .. judged];
        var result = ComparisonDocument.Of(plan, cells, startedUtc, clock.GetElapsedTime(startedAt), complete, ProgramVersion.Text) with
        {
            Overhead = overhead,
        };
        var code = ExitCode.Worst([
            result.Comparison.ExitCode,
            console.Print(output => ComparisonText.Write(result, ComparisonText.GetWidth(console.Columns), output)),
        ]);
        return ExitCode.Worst([
            code,
            .. ComparisonFiles.Write(plan.Output, plan.Report, result, console.Error),
            .. plan.Gates.Judge(result, console.Environment(ComparisonGates.StepSummaryVariable), console.Error),
        ]);
    }
}
