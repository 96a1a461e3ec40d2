using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;
using EventHubThroughput.Pump.Lifetime;

namespace EventHubThroughput.Processing.Lifetime;

/// <summary>
/// Lets an instance run once, and be disposed of at any time. The disposal stops a run, waits for it, and then releases what the instance owns.
/// </summary>
/// <param name="twice">The message for a second run.</param>
[SuppressMessage("Design", "CA1001", Justification = "Its disposal disposes of everything, this included.")]
internal sealed class SingleRun(string twice)
{
    private readonly CancellationTokenSource ending = new();
    private readonly Lock gate = new();

    // Under the gate.
    private Task? running;
    private Task? disposing;

    /// <summary>Begins the run.</summary>
    /// <param name="run">The run. The caller's token and the disposal cancel its token.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    /// <exception cref="InvalidOperationException">It has run already.</exception>
    /// <exception cref="ObjectDisposedException">It was disposed of.</exception>
    public Task<T> RunAsync<T>(Func<CancellationToken, Task<T>> run, CancellationToken cancellationToken)
    {
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (gate)
        {
            ObjectDisposedException.ThrowIf(disposing is not null, this);
            running = running is null ? begun.Task : throw new InvalidOperationException(twice);
        }

        return FollowAsync(run, begun, cancellationToken);
    }

    /// <summary>
    /// Ends the run and disposes of each object in order, even if one throws. May be called again: every call waits for the first disposal.
    /// </summary>
    /// <param name="owned">Disposables. Other objects are ignored.</param>
    public ValueTask DisposeAsync(IEnumerable<object?> owned)
    {
        lock (gate)
        {
            disposing ??= ReleaseAsync(owned);
            return new ValueTask(disposing);
        }
    }

    private async Task<T> FollowAsync<T>(Func<CancellationToken, Task<T>> run, TaskCompletionSource begun, CancellationToken cancellationToken)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, ending.Token);
        try
        {
            return await run(either.Token);
        }
        finally
        {
            begun.SetResult();
        }
    }

    private async Task ReleaseAsync(IEnumerable<object?> owned)
    {
        // Not under the gate.
        await Task.Yield();
        await ending.CancelOnSchedulerAsync();
        await (running ?? Task.CompletedTask);
        ExceptionDispatchInfo? first = null;
        foreach (var one in owned)
        {
            try
            {
                if (one is IAsyncDisposable asynchronous)
                {
                    await asynchronous.DisposeAsync();
                }
                else
                {
                    (one as IDisposable)?.Dispose();
                }
            }
            catch (Exception exception)
            {
                first ??= ExceptionDispatchInfo.Capture(exception);
            }
        }

        ending.Dispose();
        first?.Throw();
    }
}
