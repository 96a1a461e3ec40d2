using System.Globalization;
using System.Text.RegularExpressions;
using EventHubThroughput.Processes;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>The lines of an example that prints each event that it has handled. Logs of a host are between them.</summary>
internal static partial class HandledLines
{
    /// <summary>Reads lines until there are enough different events, or the program has ended.</summary>
    public static async Task ReadAsync(RunningProcess program, HashSet<(string, long)> handled, int until, CancellationToken cancellationToken)
    {
        while (handled.Count < until && await program.ReadLineAsync(cancellationToken) is { } line)
        {
            if (Line().Match(line) is { Success: true } match)
            {
                handled.Add((match.Groups["partition"].Value, long.Parse(match.Groups["sequence"].Value, CultureInfo.InvariantCulture)));
            }
        }
    }

    [GeneratedRegex(@"^(?<partition>\d+)/(?<sequence>\d+): \d+ bytes$", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Line();
}
