using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Logs;
using EventHubThroughput.Emulator.Storage;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>
/// The life of a link that pushes. Credit and new entries of its source wake it. Its peer, its owner or the emulator ends it. It ends without an exception.
/// </summary>
/// <param name="clock">Measures the time limit for the detach.</param>
/// <param name="log">The log of a push that ended unexpectedly.</param>
/// <param name="cancellationToken">Cancelled when the connection ends.</param>
/// <param name="sourceGone">Cancelled when the source is deleted.</param>
internal sealed class PushLoop(TimeProvider clock, ILogger log, CancellationToken cancellationToken, CancellationToken sourceGone = default) : IDisposable
{
    private readonly CancellationTokenSource _stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, sourceGone);
    private readonly WakeSignal _wakeUp = new();
    private Task _stopping = Task.CompletedTask;

    public CancellationToken Stopping => _stop.Token;

    /// <summary>Starts to stop. May be called under a lock, once, and not after the loop is disposed.</summary>
    public void Stop() => _stopping = _stop.CancelAsync();

    public ValueTask WaitAsync() => _wakeUp.WaitAsync(_stop.Token);

    public void Dispose() => _stop.Dispose();

    /// <summary>Runs the push until the link has ended. It runs on the caller's thread until its first wait, so that no flow is missed.</summary>
    /// <param name="sender">The link.</param>
    /// <param name="source">Wakes the push, in addition to credit.</param>
    /// <param name="push">Pushes until it is stopped.</param>
    /// <param name="getDetachError">Called at the end. Returns the reason for a detach from this side, or null.</param>
    public async Task RunAsync(AmqpSender sender, WakeSignals source, Func<Task> push, Func<AmqpError?> getDetachError)
    {
        sender.CreditChanged += _wakeUp.Set;
        source.Add(_wakeUp);
        var over = StopWhenOverAsync(sender);
        AmqpError? failure = null;
        try
        {
            await push();
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // Detached, evicted, or the emulator ends.
        }
        catch (AmqpException exception)
        {
            // The link or its connection ended.
            EmulatorLog.PushEnded(log, sender.Name, exception);
        }
        catch (Exception exception)
        {
            EmulatorLog.PushFailed(log, sender.Name, exception);
            failure = new AmqpError(ErrorCondition.InternalError, $"The emulator failed: {exception.GetType().Name}.");
        }

        source.Remove(_wakeUp);
        sender.CreditChanged -= _wakeUp.Set;
        await _stopping;
        if ((failure ?? getDetachError()) is { } error && sender.IsOpen)
        {
            await LinkShutdown.DetachAsync(sender, error, clock);
        }

        await over;
    }

    private async Task StopWhenOverAsync(AmqpSender sender)
    {
        await sender.Completion;
        await _stop.CancelAsync();
    }
}
