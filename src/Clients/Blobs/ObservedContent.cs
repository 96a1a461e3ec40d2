using System.Net;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>A body that reports when half of it was written to the socket, and with it everything before.</summary>
internal sealed class ObservedContent(ReadOnlyMemory<byte> content, Action halfSent) : HttpContent
{
    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        var half = content.Length / 2;
        await stream.WriteAsync(content[..half], cancellationToken).ConfigureAwait(false);
        await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
        halfSent();
        await stream.WriteAsync(content[half..], cancellationToken).ConfigureAwait(false);
    }

    protected override bool TryComputeLength(out long length)
    {
        length = content.Length;
        return true;
    }
}
