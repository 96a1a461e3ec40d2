using System.Runtime.InteropServices;

namespace EventHubThroughput.Sender;

/// <summary>Turns the first SIGINT or SIGTERM into a request to stop; the second one ends the process as it always does.</summary>
internal sealed class StopSignals : IDisposable
{
    private readonly CancellationTokenSource source = new();
    private readonly PosixSignalRegistration interrupt;
    private readonly PosixSignalRegistration terminate;

    public StopSignals()
    {
        interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
        terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
    }

    public CancellationToken Token => source.Token;

    public void Dispose()
    {
        interrupt.Dispose();
        terminate.Dispose();
        source.Dispose();
    }

    private void Stop(PosixSignalContext context)
    {
        context.Cancel = !source.IsCancellationRequested;
        source.Cancel();
    }
}
