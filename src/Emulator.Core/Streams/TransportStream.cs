using System.IO.Pipelines;

namespace EventHubThroughput.Emulator.Streams;

/// <summary>The two pipes of a connection as one stream. The owner of the pipes completes them.</summary>
internal sealed class TransportStream(IDuplexPipe transport) : AsyncStream(transport.Input.AsStream(leaveOpen: true))
{
    private readonly Stream _output = transport.Output.AsStream(leaveOpen: true);

    public override bool CanWrite => true;

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        _output.WriteAsync(buffer, cancellationToken);

    public override Task FlushAsync(CancellationToken cancellationToken) => _output.FlushAsync(cancellationToken);
}
