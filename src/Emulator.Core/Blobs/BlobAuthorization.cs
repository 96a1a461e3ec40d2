using System.Globalization;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Telemetry;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Checks the signature of each request, in its header or its address. Like the service, a refusal gives a reason. The reason comes from the request alone, and
/// reveals neither the key nor what exists.
/// </summary>
internal sealed class BlobAuthorization(BlobServiceOptions options)
{
    private const string Bearer = "Bearer ";

    private static readonly TimeSpan AllowedSkew = TimeSpan.FromMinutes(15);

    private readonly SignedAddress signedAddress = new(options);

    /// <summary>Determines the permissions of a request.</summary>
    public BlobFailure? Check(BlobRequest request)
    {
        var authorization = request.Header("Authorization");
        if (authorization is null && request.Query("sig") is not null)
        {
            var failure = Check(request, request.Address, out var grant);
            request.Grant = grant;
            return failure;
        }

        // The emulator cannot check tokens of Entra ID, so it treats them as no token.
        var isAnonymous = authorization is null || authorization.StartsWith(Bearer, StringComparison.Ordinal);
        if (isAnonymous && options.AllowAnonymous && RefuseForeign(request.Context.Request) is { } foreign)
        {
            return foreign;
        }

        var refused = isAnonymous
            ? options.AllowAnonymous
                ? null
                : BlobFailure.AuthenticationFailed
            : CheckDate(request) ?? CheckSignature(request, authorization!);
        request.Grant = refused is null ? BlobGrant.Everything : BlobGrant.Nothing;
        return refused;
    }

    /// <summary>Determines whether the source of a copy may be read, by its signature or else by the permissions of the request.</summary>
    public BlobFailure? CheckSource(BlobRequest request, BlobAddress source)
    {
        if (source.Query("sig") is null)
        {
            return request.Grant.IsUnlimited ? null : BlobFailure.AuthenticationFailed;
        }

        return Check(request, source, out var grant) ?? grant.Check(BlobNeed.Object("r"));
    }

    private static BlobFailure? RefuseForeign(HttpRequest request) =>
        BrowserGuard.Refuse(request.Scheme, request.Host.Value, request.Headers.Origin) is { } why ? BlobFailure.Foreign(why) : null;

    private BlobFailure? Check(BlobRequest request, BlobAddress address, out BlobGrant grant) =>
        signedAddress.Check(address, request.Context.Request.IsHttps, request.Context.Connection.RemoteIpAddress, out grant);

    private BlobFailure? CheckDate(BlobRequest request)
    {
        var text = request.Header("x-ms-date") ?? request.Header("Date");
        if (!DateTimeOffset.TryParseExact(text, "R", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var date))
        {
            return BlobFailure.NotAuthenticated("The Date header in the request is incorrect.");
        }

        var age = options.TimeProvider.GetUtcNow() - date;
        return age.Duration() <= AllowedSkew
            ? null
            : BlobFailure.NotAuthenticated($"Request date header too {(age > TimeSpan.Zero ? "old" : "far ahead")}: '{text}'");
    }

    private BlobFailure? CheckSignature(BlobRequest request, string authorization)
    {
        var colon = authorization.IndexOf(':', StringComparison.Ordinal);
        if (!authorization.StartsWith(SharedKeySignature.Scheme, StringComparison.Ordinal) || colon < 0)
        {
            return BlobFailure.NotAuthenticated("The Authorization header is not of the form 'SharedKey ACCOUNT:SIGNATURE'.");
        }

        if (!authorization.AsSpan()[SharedKeySignature.Scheme.Length..colon].SequenceEqual(options.Account))
        {
            return BlobFailure.NotAuthenticated("The account of the Authorization header is not the one of this address.");
        }

        var (method, target) = (request.Method, request.Address.RawTarget);
        return SharedKeySignature.Matches(method, request.Fields, target, options.Account, options.Key, authorization.AsSpan(colon + 1))
            ? null
            : BlobFailure.NotAuthenticated(
                $"The MAC signature found in the HTTP request '{authorization[(colon + 1)..]}' is not the same as any computed signature. Server used following string to sign: '{SharedKeySignature.StringToSign(method, request.Fields, target, options.Account)}'."
            );
    }
}
