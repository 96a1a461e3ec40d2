using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>A request for which a route was found.</summary>
internal sealed class AdminRequest(HttpRequest request, IReadOnlyDictionary<string, string> values)
{
    /// <summary>The part of the path for a name in braces, decoded.</summary>
    public string this[string name] => values[name];

    /// <summary>Reads the settings from the body if there is one, else from the query. Both hold the same settings.</summary>
    /// <exception cref="Settings.UsageException">The body is not a JSON object, or the request has both a body and a query.</exception>
    public async Task<SettingsDocument> ReadSettingsAsync(CancellationToken cancellationToken)
    {
        var body = await RequestBody.ReadAsync(request, cancellationToken);
        if (body.Length == 0)
        {
            return SettingsDocument.OfQuery(
                request.Query.SelectMany(static pair => pair.Value.Select(value => KeyValuePair.Create(pair.Key, value ?? string.Empty)))
            );
        }

        return request.QueryString.HasValue ? throw new Settings.UsageException("query: cannot be combined with a body") : SettingsDocument.Parse("body", body);
    }
}
