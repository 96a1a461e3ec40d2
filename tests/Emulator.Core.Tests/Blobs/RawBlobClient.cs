using System.Globalization;
using System.Net.Sockets;
using System.Text;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Blobs;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>An answer as it came: status, headers with lower-case names, body as text.</summary>
internal sealed record RawAnswer(int Status, IReadOnlyDictionary<string, string> Headers, string Body)
{
    public string? Code => Headers.GetValueOrDefault("x-ms-error-code");
}

/// <summary>Sends requests byte for byte as a test writes them, signed or not, each over a separate connection.</summary>
internal sealed class RawBlobClient(BlobService service, byte[] key, TimeProvider clock)
{
    public const string Account = "devstoreaccount1";

    /// <summary>Signs and sends. The path begins after the account.</summary>
    public Task<RawAnswer> SendAsync(
        string method,
        string path,
        CancellationToken cancellationToken,
        string body = "",
        params (string Name, string Value)[] headers
    ) => SendBodyAsync(method, path, Encoding.UTF8.GetBytes(body), headers, cancellationToken);

    /// <summary>Signs and sends. The path begins after the account.</summary>
    public Task<RawAnswer> SendBodyAsync(string method, string path, byte[] body, (string Name, string Value)[] headers, CancellationToken cancellationToken)
    {
        var hasLength = method == "PUT" && headers.All(static header => header.Name != "Content-Length");
        (string, string)[] length = hasLength ? [("Content-Length", body.Length.ToString(CultureInfo.InvariantCulture))] : [];
        return SendUnsignedAsync(method, $"/{Account}{path}", Sign(method, path, [.. headers, .. length]), body, cancellationToken);
    }

    /// <summary>The headers of a signed request.</summary>
    public List<KeyValuePair<string, string>> Sign(string method, string path, params (string Name, string Value)[] headers)
    {
        List<KeyValuePair<string, string>> all =
        [
            new("x-ms-date", clock.GetUtcNow().ToString("R", CultureInfo.InvariantCulture)),
            new("x-ms-version", "2023-11-03"),
        ];
        all.AddRange(headers.Select(static header => KeyValuePair.Create(header.Name, header.Value)));
        var signature = SharedKeySignature.Sign(SharedKeySignature.StringToSign(method, [.. all], $"/{Account}{path}", Account), key);
        all.Add(new("Authorization", $"SharedKey {Account}:{signature}"));
        return all;
    }

    /// <summary>Sends what it is given and nothing else but Host and Connection.</summary>
    public Task<RawAnswer> SendUnsignedAsync(
        string method,
        string target,
        IEnumerable<KeyValuePair<string, string>> headers,
        string body,
        CancellationToken cancellationToken
    ) => SendUnsignedAsync(method, target, headers, Encoding.UTF8.GetBytes(body), cancellationToken);

    private Task<RawAnswer> SendUnsignedAsync(
        string method,
        string target,
        IEnumerable<KeyValuePair<string, string>> headers,
        byte[] body,
        CancellationToken cancellationToken
    )
    {
        StringBuilder request = new($"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{service.Port}\r\nConnection: close\r\n");
        foreach ((var name, var value) in headers)
        {
            request.Append(CultureInfo.InvariantCulture, $"{name}: {value}\r\n");
        }

        return SendBytesAsync([.. Encoding.UTF8.GetBytes(request.Append("\r\n").ToString()), .. body], cancellationToken);
    }

    /// <summary>Sends bytes and reads until the server closes.</summary>
    public async Task<RawAnswer> SendBytesAsync(byte[] bytes, CancellationToken cancellationToken)
    {
        using TcpClient client = new();
        await client.ConnectAsync("127.0.0.1", service.Port, cancellationToken);
        var stream = client.GetStream();
        await stream.WriteAsync(bytes, cancellationToken);
        using MemoryStream answer = new();
        try
        {
            await stream.CopyToAsync(answer, cancellationToken);
        }
        catch (IOException) when (answer.Length > 0)
        {
            // The server may reset a request that it refuses to read. Its answer is here.
        }

        return Parse(Encoding.UTF8.GetString(answer.ToArray()));
    }

    private static RawAnswer Parse(string text)
    {
        var end = text.IndexOf("\r\n\r\n", StringComparison.Ordinal);
        if (end < 0)
        {
            return new RawAnswer(0, new Dictionary<string, string>(), text);
        }

        var lines = text[..end].Split("\r\n");
        Dictionary<string, string> headers = new(StringComparer.OrdinalIgnoreCase);
        foreach (var line in lines.Skip(1))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            headers[line[..colon]] = line[(colon + 1)..].Trim();
        }

        return new RawAnswer(int.Parse(lines[0].Split(' ')[1], CultureInfo.InvariantCulture), headers, text[(end + 4)..]);
    }
}
