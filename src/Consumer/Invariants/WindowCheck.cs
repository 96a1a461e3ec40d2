using EventHubThroughput.Consumer.Pipeline;

namespace EventHubThroughput.Consumer.Invariants;

/// <summary>
/// Invariant I9: events in flight stay within the degree, those handed over within the window and the replay limit. Both loads
/// grow by handing over and by beginning alone, so that looking then is looking at every instant.
/// </summary>
internal sealed class WindowCheck(string partition, int degree, DispatchLimits limits, DeliveredEvents delivered, RunFaults faults)
{
    /// <exception cref="RunFaultException">More events are in flight than the degree allows.</exception>
    public void AfterBeginning(long sequence, int inFlight)
    {
        if (inFlight > degree)
        {
            throw faults.Report(
                ExitCode.InvariantBreached,
                $"{inFlight} events in flight on partition {partition} with event {sequence}, the degree allows {degree}"
            );
        }
    }

    /// <exception cref="RunFaultException">More events are outstanding than window or replay limit allow.</exception>
    public void AfterHandingOver(DispatchLoad load)
    {
        if (load.Outstanding > limits.Window)
        {
            throw Breach($"{load.Outstanding} events above the low watermark", $"the window allows {limits.Window}");
        }

        if (load.Unconfirmed > limits.Replay)
        {
            throw Breach($"{load.Unconfirmed} events above the confirmed checkpoint", $"the replay limit allows {limits.Replay}");
        }
    }

    private RunFaultException Breach(string what, string limit) =>
        faults.Report(
            ExitCode.InvariantBreached,
            $"{what} of partition {partition} with event {delivered.Newest}, {limit} ({delivered.Around(delivered.FirstOpen ?? delivered.Newest)})"
        );
}
