using System.Runtime.InteropServices;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>Makes the message of a try: dates and signs it with the account's key.</summary>
internal sealed class BlobSigner(StorageConnectionString settings, TimeProvider clock)
{
    private const string Version = "2023-11-03";

    // What is signed: gathered for each message, and of no use to the next one.
    [ThreadStatic]
    private static List<KeyValuePair<string, string>>? s_headers;

    private readonly string scheme = $"{SharedKeySignature.Scheme}{settings.AccountName}:";

    /// <summary>Makes a message that can be sent now.</summary>
    /// <inheritdoc cref="BlobCall.CreateMessage"/>
    public HttpRequestMessage CreateMessage(BlobCall call, Action? halfSent)
    {
        var headers = s_headers ??= [];
        headers.Clear();
        var message = call.CreateMessage(halfSent, headers);
        Add("x-ms-version", Version);
        Add("x-ms-date", HttpDate.Format(clock.GetUtcNow()));
        var target = message.RequestUri!.PathAndQuery;
        var signature = SharedKeySignature.Sign(
            message.Method.Method,
            CollectionsMarshal.AsSpan(headers),
            target,
            settings.AccountName,
            settings.AccountKey.Span
        );
        message.Headers.TryAddWithoutValidation("Authorization", scheme + signature);
        headers.Clear();
        return message;

        void Add(string name, string value)
        {
            message.Headers.TryAddWithoutValidation(name, value);
            headers.Add(new(name, value));
        }
    }
}
