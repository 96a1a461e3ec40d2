using System.Collections.Concurrent;
using EventHubThroughput.Safety.Cells;
using Xunit;

namespace EventHubThroughput.Safety;

/// <summary>Runs the selected cells, several concurrently since they mostly wait. Each test then requests the outcome of one.</summary>
public sealed class MatrixRun : IAsyncLifetime
{
    private const int MostOfTheUsual = 100_000;
    private const int MaxConcurrentLarge = 2;

    private readonly CancellationTokenSource over = new();
    private readonly ConcurrentDictionary<string, TaskCompletionSource<CellOutcome>> outcomes = new(StringComparer.Ordinal);
    private readonly MatrixReport? report = Selection.IsReported ? new MatrixReport(MatrixReport.PagePath, MeasuredCommit.Read()) : null;
    private Task running = Task.CompletedTask;

    /// <summary>How many cells run concurrently.</summary>
    public static int MaxConcurrency { get; } =
        int.TryParse(Environment.GetEnvironmentVariable("SAFETY_CELLS"), out var asked) ? asked : 3 * Environment.ProcessorCount;

    public ValueTask InitializeAsync()
    {
        foreach (var cell in Selection.Cells)
        {
            outcomes[cell.ToString()] = new TaskCompletionSource<CellOutcome>(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        running = RunAsync();
        return ValueTask.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        await over.CancelAsync();
        try
        {
            await running;
        }
        catch (OperationCanceledException)
        {
            // Stopped before its last cell.
        }

        over.Dispose();
    }

    // The large ones last and without the others: each fills some gigabytes and all processors.
    private async Task RunAsync()
    {
        var large = Selection.Cells.ToLookup(static cell => cell.Events > MostOfTheUsual);
        await RunAsync(large[false], MaxConcurrency);
        await RunAsync(large[true], MaxConcurrentLarge);
    }

    private Task RunAsync(IEnumerable<Cell> cells, int atOnce)
    {
        var options = new ParallelOptions() { MaxDegreeOfParallelism = atOnce, CancellationToken = over.Token };
        return Parallel.ForEachAsync(
            cells,
            options,
            async (cell, token) =>
            {
                var outcome = await CellRun.RunAsync(cell, token);
                report?.Add(outcome);
                Write(outcome);
                outcomes[cell.ToString()].SetResult(outcome);
            }
        );
    }

    // The tests report in another order, long after. The output of the console's own writers belongs to a test.
    private static void Write(CellOutcome outcome)
    {
        var line = $"{(outcome.Passed ? "ok    " : "FAILED")} {outcome.Elapsed.TotalSeconds, 6:0.0} s  {outcome}\n";
        using var error = Console.OpenStandardError();
        error.Write(System.Text.Encoding.UTF8.GetBytes(line));
    }

    internal Task<CellOutcome> OutcomeOfAsync(string cell, CancellationToken cancellationToken) => outcomes[cell].Task.WaitAsync(cancellationToken);
}
