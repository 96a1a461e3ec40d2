using System.Text.Json;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Runs a cell: a fresh consumer process on the shared services, with separate entities.</summary>
/// <param name="plan">The plan of the comparison.</param>
/// <param name="services">The services that all cells share.</param>
/// <param name="consumers">Starts the consumers.</param>
/// <param name="served">Serves the metrics of the current cell. Null serves none.</param>
/// <param name="clock">The clock.</param>
internal sealed class CellProcess(ComparisonPlan plan, ICellServices services, CellConsumers consumers, ServedCells? served, TimeProvider clock)
{
    // The time of a cell beside the measuring time: to start, to claim, and to drain.
    private static readonly TimeSpan Allowance = TimeSpan.FromSeconds(150);

    /// <summary>Runs it to its end.</summary>
    /// <param name="cell">The cell.</param>
    /// <param name="next">The cell that comes after it, or null where that is not known.</param>
    /// <param name="cancellationToken">Ends it by force.</param>
    public async Task<FinishedCell> RunAsync(Cell cell, Cell? next, CancellationToken cancellationToken)
    {
        var hub = services.GetHub(plan, cell);
        await services.PrepareAsync(plan, cell, hub, cancellationToken);
        var file = Path.Combine(services.Folder, $"{cell.Names.Run}.json");
        var (code, words, sent) = await ProcessAsync(cell, next, hub, file, cancellationToken);
        var result = await ReadAsync(file, cancellationToken);
        var failure =
            code != ExitCode.Done ? $"its consumer ended with code {code}: {words}"
            : result is null ? "its consumer wrote no result"
            : null;
        var evidence = await services.EndAsync(plan, cell, hub, isUsable: result is not null, cancellationToken);
        return new FinishedCell(cell, plan.IsOpenLoop && result is not null ? SentLoad.Of(plan, result, sent) : result, evidence, failure)
        {
            Hub = hub,
            Sent = sent,
            // For a rate that is tried, whether the consumer keeps up is the sharper question.
            IsIndication = plan.IsIndication || plan.IsSearch,
        };
    }

    private async Task<(int Code, string Words, SentFigures? Sent)> ProcessAsync(
        Cell cell,
        Cell? next,
        CellHub hub,
        string file,
        CancellationToken cancellationToken
    )
    {
        await using var process = consumers.Take(cell, hub);
        ConsumerProcess.Give(process, GetOptions(cell, file));
        await using var feed = new CellFeed(plan, cell, hub, services, clock);
        using var limit = new CancellationTokenSource(plan.WarmUp + plan.Length + Allowance, clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        var starting = next is null ? Task.CompletedTask : consumers.StartAsync(next, services.GetHub(plan, next), plan.WarmUp, either.Token);
        try
        {
            var output = process.DiscardOutputAsync(either.Token);
            await (plan.IsOpenLoop ? FeedAsync(feed, process, either.Token) : Task.CompletedTask);
            await output;
            await process.Ended.WaitAsync(either.Token);
            return (process.ExitCode, await process.LastErrorAsync(), await feed.EndAsync());
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            return (ExitCode.Dependency, $"it did not end within {(plan.WarmUp + plan.Length + Allowance).TotalSeconds:0} s", null);
        }
        finally
        {
            await either.CancelAsync();
            await starting;
        }
    }

    // Sends once the consumer owns its partitions. A consumer that ends before that logs the reason itself.
    private static async Task FeedAsync(CellFeed feed, ChildProcess process, CancellationToken cancellationToken)
    {
        using var begun = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var beginning = feed.BeginAsync(begun.Token);
        if (await Task.WhenAny(beginning, process.Ended) != beginning)
        {
            await begun.CancelAsync();
        }

        try
        {
            await beginning;
        }
        catch (OperationCanceledException) when (process.Ended.IsCompleted && !cancellationToken.IsCancellationRequested)
        {
            // Its exit code is the cell's.
        }
    }

    private RunOptions GetOptions(Cell cell, string file) =>
        cell.ComparedConfiguration.Options with
        {
            Run = cell.Names.Run,
            RunIsNamed = true,
            Processing = cell.ComparedConfiguration.Options.Processing with { Identifier = $"consumer-{cell.Names.Run}" },
            Load = null,
            Emulator = services.Emulator,
            Measuring = new MeasuringTimes(plan.WarmUp, plan.Length) { HopelessBelow = cell.HopelessBelow },
            Follow = plan.IsOpenLoop,
            Outputs = new OutputOptions
            {
                Result = file,
                Acknowledgements = CellVerification.GetAcknowledgements(cell, services),
                Metrics = served?.GetOptions(Path.Combine(services.Folder, $"{cell.Names.Run}-targets")),
                Log = plan.Log,
            },
        };

    private static async Task<RunResult?> ReadAsync(string file, CancellationToken cancellationToken)
    {
        try
        {
            return await ResultJson.ReadRunAsync(file, cancellationToken);
        }
        catch (Exception exception) when (exception is IOException or JsonException)
        {
            return null;
        }
    }
}
