using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Telemetry.Logs;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>
/// The consumer process of each cell. The next one is started while the cell before warms up, and waits for its options: between two cells no start is
/// waited for, and none disturbs what is measured.
/// </summary>
/// <param name="services">The services that all share.</param>
/// <param name="log">What they log.</param>
/// <param name="clock">The clock.</param>
/// <param name="takeError">Receives each line that a consumer writes to standard error.</param>
internal sealed class CellConsumers(ICellServices services, LogChoice log, TimeProvider clock, Action<string> takeError) : IAsyncDisposable
{
    private ChildProcess? waiting;

    /// <summary>Starts the process of the cell that comes next, after a time.</summary>
    /// <param name="next">The cell.</param>
    /// <param name="hub">The hub that it reads.</param>
    /// <param name="after">How long from now.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    public async Task StartAsync(Cell next, CellHub hub, TimeSpan after, CancellationToken cancellationToken)
    {
        try
        {
            await Task.Delay(after, clock, cancellationToken);
            waiting = Start(next, hub);
        }
        catch (OperationCanceledException)
        {
            // The cell before ended sooner, so Take starts it.
        }
    }

    /// <summary>The process of a cell, which waits for its options. The caller disposes of it.</summary>
    public ChildProcess Take(Cell cell, CellHub hub)
    {
        var started = waiting ?? Start(cell, hub);
        waiting = null;
        return started;
    }

    public ValueTask DisposeAsync() => waiting?.DisposeAsync() ?? ValueTask.CompletedTask;

    private ChildProcess Start(Cell cell, CellHub hub) =>
        ConsumerProcess.StartWaiting(services.GetVariables(cell, hub), log, clock, takeError, measured: true, cell.ComparedConfiguration.Build);
}
