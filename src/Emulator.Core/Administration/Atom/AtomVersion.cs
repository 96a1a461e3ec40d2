using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>
/// The protocol version that a request names: a month or a day. Newer versions only add to answers, so each version since <see cref="Oldest"/> is served. A
/// request without a version gets the oldest one, as from the service.
/// </summary>
internal static partial class AtomVersion
{
    public const string Oldest = "2017-04";

    /// <summary>The oldest version of Event Hubs (learn.microsoft.com/rest/api/eventhub/create-consumer-group).</summary>
    public const string OldestOfHubs = "2014-01";

    // This version adds the counts of a topic's filters to 2021-05 (Azure/azure-rest-api-specs, pull request 45217).
    private const string FilterCounts = "2024-05";

    /// <summary>The problem of a request's version, or null.</summary>
    /// <param name="request">The request.</param>
    /// <param name="oldest">The oldest version that the entity is served with.</param>
    public static string? Fault(HttpRequest request, string oldest) =>
        Of(request) is not { } version || (Form().IsMatch(version) && IsSince(version, oldest))
            ? null
            : $"'{AtomNames.VersionParameter}' '{AtomText.Shown(version)}': allowed {oldest} and later, written as 2024-05 or 2024-05-01.";

    /// <summary>Whether the answer has the counts of a topic's filters.</summary>
    public static bool HasFilterCounts(HttpRequest request) => Of(request) is { } version && IsSince(version, FilterCounts);

    private static string? Of(HttpRequest request) => request.Query.TryGetValue(AtomNames.VersionParameter, out var version) ? version.ToString() : null;

    private static bool IsSince(string version, string since) => string.CompareOrdinal(version, since) >= 0;

    [GeneratedRegex(
        "^[0-9]{4}-[0-9]{2}(-[0-9]{2})?(-preview)?\\z",
        RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex Form();
}
