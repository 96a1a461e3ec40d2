using System.Text;
using EventHubThroughput.Emulator.Blobs;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Unsigned requests over kept connections, for endpoints that allow them. Answers have the form of the raw client.</summary>
internal sealed class PlainBlobClient(BlobService service) : IDisposable
{
    private readonly HttpClient http = new();

    public async Task<RawAnswer> SendAsync(
        string method,
        string path,
        byte[]? body,
        CancellationToken cancellationToken,
        params (string Name, string Value)[] headers
    )
    {
        using HttpRequestMessage request = new(new HttpMethod(method), new Uri(service.Endpoint + path));
        if (method == "PUT")
        {
            request.Content = new ByteArrayContent(body ?? []);
        }

        foreach ((var name, var value) in headers)
        {
            request.Headers.TryAddWithoutValidation(name, value);
        }

        using var answer = await http.SendAsync(request, cancellationToken);
        Dictionary<string, string> all = new(StringComparer.OrdinalIgnoreCase);
        foreach (
            (var name, var values) in answer
                .Headers.NonValidated.Select(static pair => (pair.Key, pair.Value.AsEnumerable()))
                .Concat(answer.Content.Headers.NonValidated.Select(static pair => (pair.Key, pair.Value.AsEnumerable())))
        )
        {
            all[name] = string.Join(',', values);
        }

        return new RawAnswer((int)answer.StatusCode, all, Encoding.Latin1.GetString(await answer.Content.ReadAsByteArrayAsync(cancellationToken)));
    }

    public Task<RawAnswer> PutAsync(string name, byte[] body, CancellationToken cancellationToken, params (string, string)[] headers) =>
        SendAsync("PUT", "/c01/" + name, body, cancellationToken, [("x-ms-blob-type", "BlockBlob"), .. headers]);

    public Task<RawAnswer> GetAsync(string name, CancellationToken cancellationToken, params (string, string)[] headers) =>
        SendAsync("GET", "/c01/" + name, body: null, cancellationToken, headers);

    public void Dispose() => http.Dispose();
}
