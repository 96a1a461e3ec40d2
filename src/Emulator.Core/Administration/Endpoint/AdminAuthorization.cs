using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Authorization;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Administration.Endpoint;

/// <summary>
/// Decides which requests may administer. A request may show the key itself (<c>Authorization: Bearer KEY</c>), or a shared access signature made with it. The
/// audience of the signature must be this endpoint or a path of it, with the scheme http or https and this port. A token of a hub named <c>hubs</c> has the
/// same path, so the scheme and port are compared. Only a token for everything may omit the port, as some clients do. The emulator cannot check tokens of
/// Entra ID, so it treats them as no token.
/// </summary>
internal sealed class AdminAuthorization(AccessKey key, TimeProvider clock, bool allowAnonymous)
{
    public const string Challenge = "Bearer realm=\"emulator\"";

    private const string Bearer = "Bearer ";

    /// <summary>Whether the request has a shared access signature, as clients of the service send it.</summary>
    public static bool IsSigned(HttpRequest request) =>
        request.Headers.Authorization.ToString().StartsWith("SharedAccessSignature ", StringComparison.OrdinalIgnoreCase);

    /// <summary>Null when the request is permitted, else the reason.</summary>
    public string? Refuse(HttpRequest request, string path)
    {
        var authorization = request.Headers.Authorization.ToString();
        var bearer = authorization.StartsWith(Bearer, StringComparison.OrdinalIgnoreCase) ? authorization[Bearer.Length..].Trim() : null;
        if (authorization.Length == 0 || (bearer is not null && IsOfEntraId(bearer)))
        {
            return allowAnonymous ? null : "The key is missing: send 'Authorization: Bearer KEY' or a shared access signature.";
        }

        if (bearer is not null)
        {
            return key.Matches(AccessKey.Name, bearer) ? null : "The key is wrong.";
        }

        var verdict = key.Verify(authorization, clock.GetUtcNow(), out var audience, out var expiry);
        if (verdict != SasVerdict.Valid)
        {
            return TokenRefusal.GetText(verdict, expiry);
        }

        // Some clients sign the address of each request, including its query.
        return
            IsOfHttp(audience, request.HttpContext.Connection.LocalPort)
            && Audience.Parse(audience.Split('?', 2)[0]).Covers(new Audience(request.Host.Host, Uri.UnescapeDataString(path).Trim('/')))
            ? null
            : "InvalidAudience: The token is not for this endpoint.";
    }

    // The parts of such a token are joined by periods. A key in base64 contains none.
    private static bool IsOfEntraId(string token) => token.Contains('.', StringComparison.Ordinal);

    private static bool IsOfHttp(string audience, int port) =>
        Uri.TryCreate(audience, UriKind.Absolute, out var uri)
        && (uri.Scheme == Uri.UriSchemeHttp || uri.Scheme == Uri.UriSchemeHttps)
        && (uri.Port == port || (uri.IsDefaultPort && uri.AbsolutePath == "/"));
}
