using System.Net.Sockets;

namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>Applies faults to a connection before its first byte.</summary>
internal static class ConnectionFaults
{
    /// <summary>Returns the stream to serve, or null when the connection is not served.</summary>
    public static async ValueTask<Stream?> EnterAsync(FaultEngine engine, string service, Stream stream, Action reset, CancellationToken cancellationToken)
    {
        var fault = await engine.TryInjectAsync(FaultPoint.Connect, new FaultTarget(service), cancellationToken);
        switch (fault?.Action)
        {
            case null:
                return stream;
            case FaultAction.Refuse:
                reset();
                return null;
            case FaultAction.BlackHole:
                await engine.WaitAsync(fault.SilentFor, cancellationToken);
                return null;
            default:
                return new FaultyStream(stream, fault, engine, reset);
        }
    }

    public static ValueTask<Stream?> EnterAsync(FaultEngine engine, string service, NetworkStream stream, CancellationToken cancellationToken) =>
        engine.HasNoFaults ? new(stream) : EnterAsync(engine, service, stream, FaultyStream.GetReset(stream.Socket), cancellationToken);
}
