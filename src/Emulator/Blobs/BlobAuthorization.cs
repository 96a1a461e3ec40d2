using System.Globalization;
using EventHubThroughput.AzureProtocol;
using Microsoft.Extensions.Primitives;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Checks the signature of each request, in its header or its address. Refusals of a signature look alike, so that none tells
/// what was wrong.
/// </summary>
internal sealed class BlobAuthorization(BlobServiceOptions options)
{
    private const string Bearer = "Bearer ";

    private static readonly TimeSpan AllowedSkew = TimeSpan.FromMinutes(15);

    private readonly SignedAddress signedAddress = new(options);

    /// <summary>Finds out how far a request may go.</summary>
    public BlobFailure? Check(BlobRequest request)
    {
        string? authorization = request.Header("Authorization");
        if (authorization is null && request.Query("sig") is not null)
        {
            BlobFailure? failure = Check(request, request.Address, out BlobGrant grant);
            request.Grant = grant;
            return failure;
        }

        // Tokens of Entra ID are for others to check: one is as good as none.
        bool isAnonymous = authorization is null || authorization.StartsWith(Bearer, StringComparison.Ordinal);
        if (isAnonymous ? !options.AllowAnonymous : !(IsRecent(request) && IsSigned(request, authorization!)))
        {
            return BlobFailure.AuthenticationFailed;
        }

        request.Grant = BlobGrant.Everything;
        return null;
    }

    /// <summary>Finds out how far the source of a copy may be read: by its own signature, else as far as the request may go.</summary>
    public BlobFailure? CheckSource(BlobRequest request, BlobAddress source)
    {
        if (source.Query("sig") is null)
        {
            return request.Grant.IsUnlimited ? null : BlobFailure.AuthenticationFailed;
        }

        return Check(request, source, out BlobGrant grant) ?? grant.Check(BlobNeed.Object("r"));
    }

    private BlobFailure? Check(BlobRequest request, BlobAddress address, out BlobGrant grant) =>
        signedAddress.Check(address, request.Context.Request.IsHttps, request.Context.Connection.RemoteIpAddress, out grant);

    private bool IsRecent(BlobRequest request) =>
        DateTimeOffset.TryParseExact(
            request.Header("x-ms-date") ?? request.Header("Date"),
            "R",
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal,
            out DateTimeOffset date
        )
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

        string text = SharedKeySignature.StringToSign(request.Method, headers, request.Address.RawTarget, options.Account);
        return SharedKeySignature.Matches(text, options.Key, credential[(colon + 1)..].ToString());
    }
}
