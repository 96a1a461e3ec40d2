using System.Buffers;
using System.IO.Pipelines;
using System.Text;

namespace EventHubThroughput.Amqp;

/// <summary>
/// Distinguishes an HTTP request from an AMQP header by the first bytes, and a plain request from one for a WebSocket. Nothing is consumed.
/// </summary>
internal static class HttpPreface
{
    // A longer head counts as a request without a WebSocket.
    private const int LargestHead = 8_192;

    // RFC 9110, section 9, and RFC 5789. None begins like the header of AMQP or a record of TLS.
    private static readonly byte[][] Methods = [.. new[] { "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "PATCH " }.Select(Encoding.ASCII.GetBytes)];

    /// <summary>Whether the first bytes are an HTTP request.</summary>
    public static async ValueTask<bool> IsComingAsync(PipeReader input, CancellationToken cancellationToken)
    {
        while (true)
        {
            var result = await input.ReadAsync(cancellationToken).ConfigureAwait(false);
            var isRequest = Compare(result.Buffer);
            var isDecided = isRequest is not null || result.IsCompleted;
            input.AdvanceTo(result.Buffer.Start, isDecided ? result.Buffer.Start : result.Buffer.End);
            if (isDecided)
            {
                return isRequest ?? false;
            }
        }
    }

    /// <summary>Whether the request asks for a WebSocket (RFC 6455, section 4.1).</summary>
    public static async ValueTask<bool> IsForWebSocketAsync(PipeReader input, CancellationToken cancellationToken)
    {
        while (true)
        {
            var result = await input.ReadAsync(cancellationToken).ConfigureAwait(false);
            var buffer = result.Buffer;
            var isWhole = UpgradeRequest.GetEnd(buffer) is not null;
            if (isWhole || buffer.Length > LargestHead || result.IsCompleted)
            {
                var asks =
                    isWhole
                    && UpgradeRequest.Parse(GetHead(buffer)) is { } request
                    && request.GetItems("Upgrade").Contains("websocket", StringComparer.OrdinalIgnoreCase);
                input.AdvanceTo(buffer.Start);
                return asks;
            }

            input.AdvanceTo(buffer.Start, buffer.End);
        }
    }

    private static ReadOnlySequence<byte> GetHead(ReadOnlySequence<byte> buffer) => buffer.Slice(0, UpgradeRequest.GetEnd(buffer)!.Value);

    // Null while too few bytes have arrived.
    private static bool? Compare(ReadOnlySequence<byte> buffer)
    {
        Span<byte> first = stackalloc byte[Methods.Max(static method => method.Length)];
        var length = (int)Math.Min(buffer.Length, first.Length);
        buffer.Slice(0, length).CopyTo(first);
        bool? isRequest = false;
        foreach (var method in Methods)
        {
            if (first[..length].StartsWith(method))
            {
                return true;
            }

            if (method.AsSpan().StartsWith(first[..length]))
            {
                isRequest = null;
            }
        }

        return isRequest;
    }
}
