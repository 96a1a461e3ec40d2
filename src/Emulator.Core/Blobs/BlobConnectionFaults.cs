using System.IO.Pipelines;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Streams;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Applies faults to a connection to the blob endpoint before its first byte.</summary>
internal static class BlobConnectionFaults
{
    public static async Task ServeAsync(FaultEngine engine, ConnectionContext connection, ConnectionDelegate next)
    {
        var socket = connection.Features.Get<IConnectionSocketFeature>()!.Socket;
        await using var transport = new TransportStream(connection.Transport);
        var stream = await ConnectionFaults.EnterAsync(engine, FaultTarget.Blobs, transport, FaultyStream.GetReset(socket), connection.ConnectionClosed);
        switch (stream)
        {
            case null:
                connection.Abort();
                return;
            case FaultyStream:
                var original = connection.Transport;
                connection.Transport = new DuplexPipe(PipeReader.Create(stream), PipeWriter.Create(stream));
                await next(connection);
                await connection.Transport.Output.CompleteAsync();
                connection.Transport = original;
                return;
            default:
                await next(connection);
                return;
        }
    }
}
