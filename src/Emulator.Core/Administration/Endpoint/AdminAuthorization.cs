using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Authorization;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Administration.Endpoint;

/// <summary>
/// Who may administer: who shows the key itself (<c>Authorization: Bearer KEY</c>), or a shared access signature made with it
/// whose audience is this endpoint or a path of it: its scheme is http or https and its port is this one, for a token of a hub
/// named <c>hubs</c> has the same path. Only a token for everything may leave the port out, as those of some clients do.
/// </summary>
internal sealed class AdminAuthorization(AccessKey key, TimeProvider clock, bool allowAnonymous)
{
    public const string Challenge = "Bearer realm=\"emulator\"";

    private const string Bearer = "Bearer ";

    /// <summary>Whether it shows a shared access signature, as clients of the service do.</summary>
    public static bool IsSigned(HttpRequest request) =>
        request.Headers.Authorization.ToString().StartsWith("SharedAccessSignature ", StringComparison.OrdinalIgnoreCase);

    /// <summary>Null when the request may pass, else why not.</summary>
    public string? Refuse(HttpRequest request, string path)
    {
        var authorization = request.Headers.Authorization.ToString();
        if (authorization.Length == 0)
        {
            return allowAnonymous ? null : "The key is missing: send 'Authorization: Bearer KEY' or a shared access signature.";
        }

        if (authorization.StartsWith(Bearer, StringComparison.OrdinalIgnoreCase))
        {
            return key.Matches(AccessKey.Name, authorization[Bearer.Length..].Trim()) ? null : "The key is wrong.";
        }

        var verdict = key.Verify(authorization, clock.GetUtcNow(), out var audience, out var expiry);
        if (verdict != SasVerdict.Valid)
        {
            return TokenRefusal.TextOf(verdict, expiry);
        }

        // Some clients sign the address of each request, its query included.
        return
            IsOfHttp(audience, request.HttpContext.Connection.LocalPort)
            && Audience.Parse(audience.Split('?', 2)[0]).Covers(new Audience(request.Host.Host, Uri.UnescapeDataString(path).Trim('/')))
            ? null
            : "InvalidAudience: The token is not for this endpoint.";
    }

    private static bool IsOfHttp(string audience, int port) =>
        Uri.TryCreate(audience, UriKind.Absolute, out var uri)
        && (uri.Scheme == Uri.UriSchemeHttp || uri.Scheme == Uri.UriSchemeHttps)
        && (uri.Port == port || (uri.IsDefaultPort && uri.AbsolutePath == "/"));
}
