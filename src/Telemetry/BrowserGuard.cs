using System.Net;

namespace EventHubThroughput.Telemetry;

/// <summary>
/// Prevents web pages from reading and changing what a program on this machine serves without a key. A page of another origin sends that origin. A page whose
/// host name was changed to resolve to loopback still sends that host name.
/// </summary>
public static class BrowserGuard
{
    /// <summary>Decides whether a request to a loopback address may pass.</summary>
    /// <param name="scheme">The scheme of the address at which it arrived, without the colon.</param>
    /// <param name="host">The <c>Host</c> header, with its port. Null or empty when there is none, which no browser omits.</param>
    /// <param name="origin">The <c>Origin</c> header. Null when there is none.</param>
    /// <returns>Null when it may, else the reason.</returns>
    public static string? Refuse(string scheme, string? host, string? origin)
    {
        if (!string.IsNullOrEmpty(host) && !IsLocal(host))
        {
            return "The Host header names another host than localhost or a loopback address.";
        }

        return origin is null || string.Equals(origin, $"{scheme}://{host}", StringComparison.OrdinalIgnoreCase)
            ? null
            : "Requests from pages of other origins are refused.";
    }

    private static bool IsLocal(string host)
    {
        // An IPv6 address is in brackets, because it contains colons.
        var end = host.StartsWith('[') ? host.IndexOf(']', StringComparison.Ordinal) + 1 : host.IndexOf(':', StringComparison.Ordinal);
        var name = end < 0 ? host : host[..end];
        return string.Equals(name, "localhost", StringComparison.OrdinalIgnoreCase)
            || (IPAddress.TryParse(name, out var address) && IPAddress.IsLoopback(address));
    }
}
