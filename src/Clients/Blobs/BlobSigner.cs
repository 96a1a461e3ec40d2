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
        List<KeyValuePair<string, string>> headers = new(12);
        foreach ((string name, System.Net.Http.Headers.HeaderStringValues value) in message.Headers.NonValidated)
        {
            headers.Add(new(name, value.ToString()));
        }

        if (message.Content is { } content)
        {
            foreach ((string name, System.Net.Http.Headers.HeaderStringValues value) in content.Headers.NonValidated)
            {
                headers.Add(new(name, value.ToString()));
            }
        }

        string text = SharedKeySignature.StringToSign(message.Method.Method, headers, message.RequestUri!.PathAndQuery, settings.AccountName);
        string signature = SharedKeySignature.Sign(text, settings.AccountKey.Span);
        message.Headers.TryAddWithoutValidation("Authorization", $"{SharedKeySignature.Scheme}{settings.AccountName}:{signature}");
    }
}
