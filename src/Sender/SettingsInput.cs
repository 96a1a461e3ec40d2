using System.Text.Json;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Sender;

/// <summary>Connection settings that come as a line of JSON, the names of the environment variables with their values, as the emulator prints them.</summary>
internal static class SettingsInput
{
    /// <summary>Waits for the line.</summary>
    /// <param name="readLine">Reads it; null when there is none.</param>
    /// <param name="option">What asked for it, in messages.</param>
    /// <param name="environment">Where what the line does not have is looked up.</param>
    /// <param name="cancellationToken">Gives up waiting.</param>
    /// <exception cref="UsageException">The line is missing, or not such a line.</exception>
    public static async Task<Func<string, string?>> ReadAsync(
        Func<string?> readLine,
        string option,
        Func<string, string?> environment,
        CancellationToken cancellationToken
    )
    {
        // A read of a console cannot be cancelled, only left alone.
        var line = await Task.Run(readLine, CancellationToken.None).WaitAsync(cancellationToken);
        try
        {
            var settings =
                JsonSerializer.Deserialize<Dictionary<string, string>>(line ?? string.Empty) ?? throw new UsageException($"{option}: the line is null");
            return name => settings.GetValueOrDefault(name) ?? environment(name);
        }
        catch (JsonException)
        {
            // Its text may hold a key, so it is not repeated.
            throw new UsageException($"{option}: standard input must have a line of JSON with the names and values of settings");
        }
    }
}
