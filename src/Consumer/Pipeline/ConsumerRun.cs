using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;

namespace EventHubThroughput.Consumer.Pipeline;

/// <summary>Why a run ended.</summary>
internal enum RunEnd
{
    /// <summary>The backlog is drained.</summary>
    Drained,

    /// <summary>A signal asked for it.</summary>
    Stopped,

    /// <summary>A fault; see <see cref="RunFaults"/>.</summary>
    Faulted,
}

/// <summary>
/// Runs the processor until the backlog is drained, a signal or a fault comes, then lets it drain: in-flight writes finish within
/// the limit, every partition stores its last checkpoint and is given up.
/// </summary>
internal sealed class ConsumerRun(IEventHubProcessor processor, RunStop stop, RunFaults faults)
{
    /// <param name="drained">Completes when there is nothing left to do; never, for a run that follows the hub.</param>
    /// <param name="signal">Cancelled by the first signal.</param>
    public async Task<RunEnd> RunAsync(Func<CancellationToken, Task> drained, CancellationToken signal)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(signal);
        var draining = drained(ended.Token);
        if (draining.IsCompletedSuccessfully)
        {
            // Nothing to do: no partition is taken for that.
            return RunEnd.Drained;
        }

        var processing = processor.RunAsync(stop.Requested);
        await Task.WhenAny(processing, draining, faults.Raised);
        await stop.RequestAsync();
        if (faults.ServiceGone)
        {
            await stop.CutAsync();
        }

        var processed = await OutcomeAsync(processing);
        await ended.CancelOnSchedulerAsync();
        await OutcomeAsync(draining);
        if (!processed || faults.All.Count > 0)
        {
            return RunEnd.Faulted;
        }

        return signal.IsCancellationRequested && !draining.IsCompletedSuccessfully ? RunEnd.Stopped : RunEnd.Drained;
    }

    // False when the task failed for a reason that is now among the faults.
    private async Task<bool> OutcomeAsync(Task task)
    {
        try
        {
            await task;
            return true;
        }
        catch (OperationCanceledException) when (stop.Requested.IsCancellationRequested)
        {
            return true;
        }
        catch (RunFaultException)
        {
            return false;
        }
        catch (Exception) when (faults.All.Count > 0)
        {
            // What is reported already is the cause, whatever a strategy has wrapped around it.
            return false;
        }
        catch (MessagingException failure)
        {
            faults.Report(ExitCode.Dependency, failure.Message, failure);
            return false;
        }
    }
}
