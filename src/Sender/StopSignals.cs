using System.Runtime.InteropServices;

namespace EventHubThroughput.Sender;

/// <summary>Turns the first SIGINT, SIGTERM or SIGHUP into a request to stop. The second one ends the process as usual.</summary>
internal sealed class StopSignals : IDisposable
{
    private readonly CancellationTokenSource source = new();
    private readonly PosixSignalRegistration[] registrations;

    public StopSignals() =>
        registrations = [
            .. new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP }.Select(signal => PosixSignalRegistration.Create(signal, Stop)),
        ];

    public CancellationToken Token => source.Token;

    public void Dispose()
    {
        Array.ForEach(registrations, static registration => registration.Dispose());
        source.Dispose();
    }

    private void Stop(PosixSignalContext context)
    {
        context.Cancel = !source.IsCancellationRequested;
        source.Cancel();
    }
}
