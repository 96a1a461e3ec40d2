using System.Text.Json;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Sender;

/// <summary>Reads connection settings from a line of JSON, as the emulator prints it. The members are the names and values of environment variables.</summary>
internal static class SettingsInput
{
    /// <summary>Waits for the line.</summary>
    /// <param name="readLine">Reads the line. Null when there is none.</param>
    /// <param name="option">The option that asked for it, for messages.</param>
    /// <param name="environment">Supplies the values that the line does not have.</param>
    /// <param name="cancellationToken">Stops the wait.</param>
    /// <exception cref="UsageException">The line is missing or is not valid.</exception>
    public static async Task<Func<string, string?>> ReadAsync(
        Func<string?> readLine,
        string option,
        Func<string, string?> environment,
        CancellationToken cancellationToken
    )
    {
        // A read of a console cannot be cancelled, only abandoned.
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
