using System.Text.RegularExpressions;

namespace EventHubThroughput.Telemetry;

/// <summary>A configuration of Prometheus that scrapes what lists itself in a folder. That of the usual folder of Linux is <c>prometheus.yml</c>.</summary>
public static partial class ScrapeConfiguration
{
    // A pattern of file_sd may have them, and cannot escape them.
    private static readonly char[] PatternLetters = ['*', '?', '[', '\''];

    /// <summary>Why Prometheus cannot read the targets of a folder. Null if it can.</summary>
    public static string? GetProblem(string folder) =>
        folder.IndexOfAny(PatternLetters) >= 0 ? "Prometheus reads * ? [ as a pattern, allowed is a path without them and without quotes" : null;

    /// <summary>The configuration as YAML.</summary>
    /// <param name="folder">The folder of the target lists, absolute.</param>
    /// <param name="rules">The file of rules. Null for none.</param>
    public static string Of(string folder, string? rules)
    {
        var lists = $"{folder.TrimEnd('/', '\\')}{(folder.Contains('\\', StringComparison.Ordinal) ? '\\' : '/')}*.json";
        var ofRules = rules is null
            ? ""
            : $"""

                rule_files:
                  - {Quote(rules)}

                """;
        return $"""
            # Scrapes what lives on this machine: every consumer lists itself, and an emulator that it has started, in this folder (--metrics-targets, docs/observability.md).
            global:
              # The article scraped every 10 s: a run of the usual length, some six seconds, would then be seen once or never.
              scrape_interval: 1s
              evaluation_interval: 1s
            {ofRules}
            scrape_configs:
              - job_name: consumer
                file_sd_configs:
                  - files:
                      - {Quote(lists)}
                    refresh_interval: 1s

            """.ReplaceLineEndings("\n");
    }

    // In single quotes a backslash is a letter.
    private static string Quote(string path) => Plain().IsMatch(path) ? path : $"'{path.Replace("'", "''", StringComparison.Ordinal)}'";

    [GeneratedRegex(@"\A[/A-Za-z0-9][-/A-Za-z0-9._*]*\z", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Plain();
}
