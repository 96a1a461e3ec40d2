using System.Globalization;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>Dates and signs requests with the account's key.</summary>
internal sealed class BlobSigner(StorageConnectionString settings, TimeProvider clock)
{
    private const string Version = "2023-11-03";

    public void Sign(HttpRequestMessage message)
    {
        message.Headers.TryAddWithoutValidation("x-ms-version", Version);
        message.Headers.TryAddWithoutValidation("x-ms-date", clock.GetUtcNow().ToString("R", CultureInfo.InvariantCulture));
        var headers = new List<KeyValuePair<string, string>>(12);
        foreach ((var name, var value) in message.Headers.NonValidated)
        {
            headers.Add(new(name, value.ToString()));
        }

        if (message.Content is { } content)
        {
            foreach ((var name, var value) in content.Headers.NonValidated)
            {
                headers.Add(new(name, value.ToString()));
            }
        }

        var text = SharedKeySignature.StringToSign(message.Method.Method, headers, message.RequestUri!.PathAndQuery, settings.AccountName);
        var signature = SharedKeySignature.Sign(text, settings.AccountKey.Span);
        message.Headers.TryAddWithoutValidation("Authorization", $"{SharedKeySignature.Scheme}{settings.AccountName}:{signature}");
    }
}
