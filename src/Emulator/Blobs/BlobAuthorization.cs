using System.Globalization;
using EventHubThroughput.AzureProtocol;
using Microsoft.Extensions.Primitives;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Checks the signature of each request. All refusals look alike, so that none tells what was wrong.</summary>
internal sealed class BlobAuthorization(BlobServiceOptions options)
{
    private static readonly TimeSpan AllowedSkew = TimeSpan.FromMinutes(15);

    public BlobFailure? Check(BlobRequest request)
    {
        string? authorization = request.Header("Authorization");
        if (authorization is null && options.AllowAnonymous)
        {
            return null;
        }

        return authorization is not null && IsRecent(request) && IsSigned(request, authorization) ? null : BlobFailure.AuthenticationFailed;
    }

    private bool IsRecent(BlobRequest request) =>
        DateTimeOffset.TryParseExact(
            request.Header("x-ms-date") ?? request.Header("Date"), "R", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset date)
        && (options.TimeProvider.GetUtcNow() - date).Duration() <= AllowedSkew;

    private bool IsSigned(BlobRequest request, string authorization)
    {
        if (!authorization.StartsWith(SharedKeySignature.Scheme, StringComparison.Ordinal))
        {
            return false;
        }

        ReadOnlySpan<char> credential = authorization.AsSpan(SharedKeySignature.Scheme.Length);
        int colon = credential.IndexOf(':');
        if (colon < 0 || !credential[..colon].SequenceEqual(options.Account))
        {
            return false;
        }

        List<KeyValuePair<string, string>> headers = new(request.Headers.Count);
        foreach ((string name, StringValues value) in request.Headers)
        {
            headers.Add(new(name, value.ToString()));
        }

        string text = SharedKeySignature.StringToSign(request.Method, headers, request.RawTarget, options.Account);
        return SharedKeySignature.Matches(text, options.Key, credential[(colon + 1)..].ToString());
    }
}
