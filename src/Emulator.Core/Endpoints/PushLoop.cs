using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Logs;
using EventHubThroughput.Emulator.Storage;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>
/// The life of a link that pushes: woken by credit and by additions to its source, ended by its peer, by its owner or with the
/// emulator. However it ends, it ends quietly.
/// </summary>
/// <param name="clock">Of the limit for the last word.</param>
/// <param name="log">Told why a push has ended that was not stopped.</param>
/// <param name="cancellationToken">The connection's end.</param>
/// <param name="sourceGone">The end of what is pushed from.</param>
internal sealed class PushLoop(TimeProvider clock, ILogger log, CancellationToken cancellationToken, CancellationToken sourceGone = default) : IDisposable
{
    private readonly CancellationTokenSource _stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, sourceGone);
    private readonly WakeUp _wakeUp = new();
    private Task _stopping = Task.CompletedTask;

    public CancellationToken Stopping => _stop.Token;

    /// <summary>Only starts to stop; may be called under a lock, once, and not after the loop was disposed.</summary>
    public void Stop() => _stopping = _stop.CancelAsync();

    public ValueTask WaitAsync() => _wakeUp.WaitAsync(_stop.Token);

    public void Dispose() => _stop.Dispose();

    /// <summary>Runs the push until the link is over. Before the first wait it runs on the caller's thread, so that no flow is missed.</summary>
    /// <param name="sender">The link.</param>
    /// <param name="source">What wakes the push beside credit.</param>
    /// <param name="push">Pushes until it is stopped.</param>
    /// <param name="farewell">Asked at the end: why this side detaches, or null when it does not.</param>
    public async Task RunAsync(AmqpSender sender, WakeUps source, Func<Task> push, Func<AmqpError?> farewell)
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
        if ((failure ?? farewell()) is { } error && sender.IsOpen)
        {
            await Farewells.DetachAsync(sender, error, clock);
        }

        await over;
    }

    private async Task StopWhenOverAsync(AmqpSender sender)
    {
        await sender.Completion;
        await _stop.CancelAsync();
    }
}
