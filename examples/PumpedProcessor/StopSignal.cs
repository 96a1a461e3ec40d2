using System.Runtime.InteropServices;
using EventHubThroughput.Pump;

namespace PumpedProcessor;

/// <summary>Ends the program at SIGTERM, at Ctrl+C, or at a fault that ends the pump.</summary>
internal sealed class StopSignal : IDisposable
{
    private readonly TaskCompletionSource requested = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly PosixSignalRegistration[] signals;

    public StopSignal() => signals = [PosixSignalRegistration.Create(PosixSignal.SIGTERM, At), PosixSignalRegistration.Create(PosixSignal.SIGINT, At)];

    /// <summary>0 after a signal, 1 after a fault.</summary>
    public int ExitCode { get; private set; }

    public Task RequestedAsync() => requested.Task;

    /// <summary>For <c>OnFault</c>: the processor would read the partition again after a fault.</summary>
    public void At(EventPumpFault fault)
    {
        Console.Error.WriteLine(fault);
        if (fault.EndsPump)
        {
            ExitCode = 1;
            requested.TrySetResult();
        }
    }

    public void Dispose() => Array.ForEach(signals, static signal => signal.Dispose());

    private void At(PosixSignalContext context)
    {
        context.Cancel = true;
        requested.TrySetResult();
    }
}
