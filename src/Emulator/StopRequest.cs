using System.Runtime.InteropServices;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Emulator;

/// <summary>
/// Decides when the program ends. Started manually, it ends on SIGINT, SIGTERM, or SIGHUP when its terminal closes. Under a parent it ends only when standard
/// input closes. Ctrl+C reaches the whole process group, and the parent must still drain into this process.
/// </summary>
internal sealed class StopRequest(Func<Stream> openInput, bool handlesSignals)
{
    public static StopRequest OfProcess { get; } = new(StandardStreams.OpenInput, handlesSignals: true);

    public async Task WaitAsync(bool withInput, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var interrupt = Handle(PosixSignal.SIGINT, withInput, asked);
        using var terminate = Handle(PosixSignal.SIGTERM, withInput, asked);
        using var hangUp = Handle(PosixSignal.SIGHUP, withInput, asked);
        await using var cancelled = stop.Token.UnsafeRegister(static state => ((TaskCompletionSource)state!).TrySetResult(), asked);
        await (withInput ? UntilInputClosesAsync(stop.Token) : asked.Task);
    }

    private PosixSignalRegistration? Handle(PosixSignal signal, bool ignore, TaskCompletionSource asked) =>
        handlesSignals
            ? PosixSignalRegistration.Create(
                signal,
                context =>
                {
                    context.Cancel = true;
                    if (!ignore)
                    {
                        asked.TrySetResult();
                    }
                }
            )
            : null;

    private async Task UntilInputClosesAsync(CancellationToken cancellationToken)
    {
        await using var input = openInput();
        var buffer = new byte[256];
        try
        {
            // The content of the input is ignored, only its end counts. A read of standard input cannot be cancelled, only abandoned.
            while (await input.ReadAsync(buffer, cancellationToken).AsTask().WaitAsync(cancellationToken) > 0) { }
        }
        catch (Exception exception) when (exception is OperationCanceledException or IOException)
        {
            // The read was cancelled or failed. The input is closed in both cases.
        }
    }
}
