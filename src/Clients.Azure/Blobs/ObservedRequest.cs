using Azure.Core;

namespace EventHubThroughput.Clients.Azure.Blobs;

/// <summary>A body, or none, that reports when half of it was written to the socket, and with it everything before.</summary>
/// <param name="inner">The body, owned by the request. Null for none.</param>
/// <param name="halfSent">Called once. Must not block.</param>
internal sealed class ObservedRequest(RequestContent? inner, Action halfSent) : RequestContent
{
    public override async Task WriteToAsync(Stream stream, CancellationToken cancellation)
    {
        using var whole = new MemoryStream();
        if (inner is not null)
        {
            await inner.WriteToAsync(whole, cancellation).ConfigureAwait(false);
        }

        ReadOnlyMemory<byte> bytes = whole.GetBuffer().AsMemory(0, (int)whole.Length);
        var half = bytes.Length / 2;
        await stream.WriteAsync(bytes[..half], cancellation).ConfigureAwait(false);
        await stream.FlushAsync(cancellation).ConfigureAwait(false);
        halfSent();
        await stream.WriteAsync(bytes[half..], cancellation).ConfigureAwait(false);
    }

    public override void WriteTo(Stream stream, CancellationToken cancellation) => throw new NotSupportedException("Storage is never called synchronously.");

    public override bool TryComputeLength(out long length)
    {
        length = 0;
        return inner is null || inner.TryComputeLength(out length);
    }

    public override void Dispose() { }
}
