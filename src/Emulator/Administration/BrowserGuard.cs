using System.Net;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>
/// Keeps web pages from administering an emulator on the machine of whoever looks at them: a page of another origin says so, and
/// a page whose host name was turned to loopback still names that host.
/// </summary>
internal static class BrowserGuard
{
    /// <summary>Null when the request may pass, else why not.</summary>
    public static string? Refuse(HttpRequest request)
    {
        if (!IsLocal(request.Host.Host))
        {
            return "The Host header names another host than localhost or a loopback address.";
        }

        var origin = request.Headers.Origin;
        return origin.Count == 0 || string.Equals(origin.ToString(), $"{request.Scheme}://{request.Host.Value}", StringComparison.OrdinalIgnoreCase)
            ? null
            : "Requests from pages of other origins are refused.";
    }

    // No browser leaves it out.
    private static bool IsLocal(string host) =>
        host.Length == 0
        || string.Equals(host, "localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(host, out var address) && IPAddress.IsLoopback(address));
}
