using System.Text.RegularExpressions;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Telemetry.Logs;

/// <summary>The form of a log line: the time and the program are first.</summary>
public static partial class LogLine
{
    public const string TimeFormat = "yyyy-MM-ddTHH:mm:ss.fffZ";
    private const string JsonStart = "{\"Program\":\"";

    /// <summary>Whether a line of a program's standard error belongs to its log, and not to its messages for people.</summary>
    public static bool Is(string line) => line.StartsWith(JsonStart, StringComparison.Ordinal) || TextStart().IsMatch(line);

    /// <summary>An entry of the formatter on one line, without control characters and without secrets.</summary>
    public static string Of(string entry, string program, bool json)
    {
        var shown = SecretMask.Apply(entry.Trim());
        var line = shown.Any(char.IsControl) ? string.Concat(shown.Select(static letter => char.IsControl(letter) ? ' ' : letter)) : shown;
        return json ? string.Concat(JsonStart, program, "\",", line.AsSpan(1)) : line;
    }

    [GeneratedRegex(
        @"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [a-z]+ (trce|dbug|info|warn|fail|crit): ",
        RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex TextStart();
}
