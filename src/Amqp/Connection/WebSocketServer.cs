using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Net;
using System.Net.WebSockets;
using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp;

/// <summary>
/// The listener's side of the opening handshake (RFC 6455, section 4.2), on a port that also serves AMQP (see <see cref="HttpPreface"/>). After the handshake
/// the runtime's WebSocket takes over.
/// </summary>
internal static class WebSocketServer
{
    private const int LargestRequest = 8_192;
    private const int KeyLength = 16;
    private const string Version = "13";

    // RFC 6455, section 1.3.
    private const string KeySuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static readonly string[] Subprotocols = [AmqpWebSocketOptions.AzureSubprotocol, "amqp"];

    /// <summary>Reads the request and answers it.</summary>
    /// <param name="stream">The stream of the socket.</param>
    /// <param name="input">The reader of the stream.</param>
    /// <param name="path">The path that accepts WebSockets.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends the handshake.</param>
    /// <returns>The bytes of the WebSocket, which owns the stream.</returns>
    /// <exception cref="AmqpException">The request was refused, and the peer has received the reason.</exception>
    public static async Task<Stream> AcceptAsync(Stream stream, PipeReader input, string path, TimeProvider clock, CancellationToken cancellationToken)
    {
        var request = await ReadAsync(input, cancellationToken).ConfigureAwait(false);
        var (refusal, subprotocol) = Judge(request, path);
        if (refusal is not null)
        {
            await stream.WriteAsync(Answer(refusal), cancellationToken).ConfigureAwait(false);
            throw new AmqpException(
                AmqpErrorScope.Transport,
                new AmqpError(ErrorCondition.NotAllowed, $"No WebSocket: {refusal.Status} {refusal.Reason}. {refusal.Text}")
            );
        }

        await input.CompleteAsync().ConfigureAwait(false);
        await stream.WriteAsync(Accept(request!.Find("Sec-WebSocket-Key")!, subprotocol!), cancellationToken).ConfigureAwait(false);
        var webSocket = WebSocket.CreateFromStream(
            stream,
            new WebSocketCreationOptions
            {
                IsServer = true,
                SubProtocol = subprotocol,
                KeepAliveInterval = Timeout.InfiniteTimeSpan,
            }
        );
        return new WebSocketBytes(webSocket, clock);
    }

    // Null when the request cannot be parsed, is too long, or is followed by bytes. A client must not send bytes before the answer.
    private static async ValueTask<UpgradeRequest?> ReadAsync(PipeReader input, CancellationToken cancellationToken)
    {
        while (true)
        {
            var result = await input.ReadAsync(cancellationToken).ConfigureAwait(false);
            var buffer = result.Buffer;
            if (UpgradeRequest.GetEnd(buffer) is { } end)
            {
                var isAlone = buffer.Slice(end).IsEmpty && buffer.Length <= LargestRequest;
                var request = isAlone ? UpgradeRequest.Parse(buffer) : null;
                input.AdvanceTo(buffer.End);
                return request;
            }

            input.AdvanceTo(buffer.Start, buffer.End);
            if (buffer.Length > LargestRequest || result.IsCompleted)
            {
                return null;
            }
        }
    }

    private static (Refusal? Refusal, string? Subprotocol) Judge(UpgradeRequest? request, string path)
    {
        if (request is null)
        {
            return (new Refusal(400, "Bad Request", $"This is not an HTTP/1.1 request of at most {LargestRequest} bytes."), null);
        }

        if (!string.Equals(request.Path.TrimEnd('/'), path, StringComparison.OrdinalIgnoreCase))
        {
            return (new Refusal(404, "Not Found", $"This port speaks AMQP 1.0, and takes WebSockets at {path}."), null);
        }

        if (!Has(request, "Upgrade", "websocket") || !Has(request, "Connection", "upgrade") || request.Find("Sec-WebSocket-Version") != Version)
        {
            return (
                new Refusal(
                    426,
                    "Upgrade Required",
                    $"Allowed is an upgrade to a WebSocket of version {Version}.",
                    $"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: {Version}\r\n"
                ),
                null
            );
        }

        if (!IsKey(request.Find("Sec-WebSocket-Key")))
        {
            return (new Refusal(400, "Bad Request", $"Sec-WebSocket-Key must be {KeyLength} bytes in base64."), null);
        }

        if (!IsOwnPage(request))
        {
            return (new Refusal(403, "Forbidden", "Pages of other origins are not let in."), null);
        }

        return
            request.GetItems("Sec-WebSocket-Protocol").FirstOrDefault(static one => Subprotocols.Contains(one, StringComparer.OrdinalIgnoreCase)) is { } known
            ? (null, known)
            : (new Refusal(400, "Bad Request", $"Sec-WebSocket-Protocol: allowed {string.Join(", ", Subprotocols)}."), null);
    }

    private static bool Has(UpgradeRequest request, string field, string item) => request.GetItems(field).Contains(item, StringComparer.OrdinalIgnoreCase);

    private static bool IsKey(string? key)
    {
        Span<byte> bytes = stackalloc byte[KeyLength + 2];
        return key is { Length: 24 } && Convert.TryFromBase64String(key, bytes, out var length) && length == KeyLength;
    }

    // Browsers send the origin of the page. A page from another origin must not reach a server that listens only on this machine.
    private static bool IsOwnPage(UpgradeRequest request) =>
        request.Find("Origin") is not { } origin
        || (
            Uri.TryCreate(origin, UriKind.Absolute, out var page)
            && (page.IsLoopback || string.Equals(page.Authority, request.Find("Host"), StringComparison.OrdinalIgnoreCase))
        );

    private static byte[] Accept(string key, string subprotocol)
    {
        // Required by the RFC, as a proof that the request was understood. It protects nothing.
#pragma warning disable CA5350
        var proof = Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key + KeySuffix)));
#pragma warning restore CA5350
        return Encoding.ASCII.GetBytes(
            $"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {proof}\r\nSec-WebSocket-Protocol: {subprotocol}\r\n\r\n"
        );
    }

    private static byte[] Answer(Refusal refusal) =>
        Encoding.ASCII.GetBytes(
            string.Create(
                CultureInfo.InvariantCulture,
                $"HTTP/1.1 {refusal.Status} {refusal.Reason}\r\n{refusal.Fields ?? "Connection: close\r\n"}Content-Type: text/plain\r\nContent-Length: {refusal.Text.Length + 1}\r\n\r\n{refusal.Text}\n"
            )
        );

    private sealed record Refusal(int Status, string Reason, string Text, string? Fields = null);
}
