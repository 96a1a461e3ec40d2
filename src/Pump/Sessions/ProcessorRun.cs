using System.Runtime.ExceptionServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;

namespace EventHubThroughput.Pump.Sessions;

/// <summary>
/// Runs a processor until the backlog is drained, a signal arrives or a fault occurs. Then it drains: writes in flight finish within the limit, and every
/// partition stores its last checkpoint and is given up.
/// </summary>
internal sealed class ProcessorRun(Func<CancellationToken, Task> process, ProcessingStop stop, ProcessingFaults faults)
{
    /// <param name="drained">Completes when the backlog is empty. Never, for a run that follows the hub.</param>
    /// <param name="signal">Cancelled by the first signal.</param>
    public async Task<ProcessingEnd> RunAsync(Func<CancellationToken, Task> drained, CancellationToken signal)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(signal);
        var draining = drained(ended.Token);
        if (draining.IsCompletedSuccessfully)
        {
            // Nothing to do, so no partition is claimed.
            return ProcessingEnd.Drained;
        }

        var processing = process(stop.Requested);
        await Task.WhenAny(processing, draining, faults.Raised);
        await stop.RequestAsync();
        if (faults.ServiceGone)
        {
            await stop.CutAsync();
        }

        var processed = await OutcomeAsync(processing);
        await ended.CancelOnSchedulerAsync();
        await OutcomeAsync(draining);
        if (faults is { Error: { } error, All.Count: 0 })
        {
            ExceptionDispatchInfo.Throw(error);
        }

        if (!processed || faults.All.Count > 0)
        {
            return ProcessingEnd.Faulted;
        }

        return signal.IsCancellationRequested && !draining.IsCompletedSuccessfully ? ProcessingEnd.Stopped : ProcessingEnd.Drained;
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
        catch (ProcessingFaultException)
        {
            return false;
        }
        catch (Exception) when (faults.All.Count > 0)
        {
            // A reported fault is the cause, even if a strategy has wrapped it.
            return false;
        }
        catch (MessagingException failure)
        {
            faults.Report(ProcessingFaultKind.Dependency, failure.Message, failure);
            return false;
        }
    }
}
