using System.Runtime.InteropServices;

namespace EventHubThroughput.Processing;

/// <summary>
/// Requests a stop at the first SIGINT (Ctrl+C) or SIGTERM of the process, for programs without a host. The second one ends the process immediately. Create
/// it once in a process.
/// </summary>
public sealed class StopSignal : IDisposable
{
    private readonly CancellationTokenSource asked = new();
    private readonly PosixSignalRegistration[] registrations;

    /// <summary>Listens from now on.</summary>
    public StopSignal() => registrations = [Register(PosixSignal.SIGINT), Register(PosixSignal.SIGTERM)];

    /// <summary>Cancelled at the first signal, on a separate thread.</summary>
    public CancellationToken Token => asked.Token;

    /// <summary>Stops listening: from now on a signal ends the process.</summary>
    public void Dispose()
    {
        Array.ForEach(registrations, static registration => registration.Dispose());
        asked.Dispose();
    }

    private PosixSignalRegistration Register(PosixSignal signal) =>
        PosixSignalRegistration.Create(
            signal,
            context =>
            {
                context.Cancel = !asked.IsCancellationRequested;
                asked.Cancel();
            }
        );
}
