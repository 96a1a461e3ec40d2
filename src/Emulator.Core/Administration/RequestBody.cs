using EventHubThroughput.Settings.Json;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>The body of a request, which may be as large as a settings document.</summary>
internal static class RequestBody
{
    /// <summary>The bytes that are read at most. A client that is cut off while it sends too large a body may never read the reason.</summary>
    public const int LargestTaken = 8 * SettingsDocument.LargestSize;

    private const int Piece = 16 * 1024;

    /// <exception cref="BadHttpRequestException">It is too large, malformed or too slow.</exception>
    public static async Task<byte[]> ReadAsync(HttpRequest request, CancellationToken cancellationToken)
    {
        using var body = new MemoryStream();
        var piece = new byte[Piece];
        long length = 0;
        while (await request.Body.ReadAsync(piece, cancellationToken) is > 0 and var read)
        {
            length += read;
            if (length <= SettingsDocument.LargestSize)
            {
                await body.WriteAsync(piece.AsMemory(0, read), cancellationToken);
            }
        }

        return length <= SettingsDocument.LargestSize
            ? body.ToArray()
            : throw new BadHttpRequestException($"{length} bytes, allowed {SettingsDocument.LargestSize}", StatusCodes.Status413PayloadTooLarge);
    }
}
