using System.Text.RegularExpressions;

namespace EventHubThroughput.Safety.Cells;

/// <summary>The ports that an emulator printed, as the options that give them to the next one.</summary>
internal static partial class Ports
{
    public static IEnumerable<string> Of(IReadOnlyDictionary<string, string> settings) =>
        [
            $"--eventhubs-port {PortIn(settings["EVENTHUB_CONNECTION_STRING"])}",
            $"--servicebus-port {PortIn(settings["SERVICEBUS_CONNECTION_STRING"])}",
            $"--blob-port {PortIn(settings["STORAGE_CONNECTION_STRING"])}",
            $"--admin-port {PortIn(settings["EMULATOR_ADMIN_URL"])}",
        ];

    public static string PortIn(string text) => Port().Match(text).Groups["port"].Value;

    [GeneratedRegex(@"://[^;/]*:(?<port>\d+)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Port();
}
