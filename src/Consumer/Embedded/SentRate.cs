using System.Globalization;
using System.Text.RegularExpressions;

namespace EventHubThroughput.Consumer.Embedded;

/// <summary>How a sender kept to its rate, by its own words.</summary>
/// <param name="Achieved">Events a second that were acknowledged.</param>
/// <param name="Intended">Events a second that were meant.</param>
/// <param name="MostLate">How long after its time an event was sent at most.</param>
internal sealed partial record SentRate(double Achieved, double Intended, TimeSpan MostLate)
{
    /// <summary>Below this share of what was meant the load is not the one that was asked for.</summary>
    public const double LeastShare = 0.99;

    /// <summary>Whether less was sent than was meant.</summary>
    public bool IsShort => Achieved < LeastShare * Intended;

    /// <summary>Reads the line in which a sender tells; null where there is none, or it had no rate.</summary>
    public static SentRate? Parse(string? line) =>
        line is not null && Line().Match(line) is { Success: true } match
            ? new SentRate(Number(match.Groups["kept"]), Number(match.Groups["meant"]), TimeSpan.FromSeconds(Number(match.Groups["late"])))
            : null;

    private static double Number(Group group) => double.Parse(group.Value, NumberStyles.Float | NumberStyles.AllowThousands, CultureInfo.InvariantCulture);

    [GeneratedRegex(
        @"^achieved (?<kept>[0-9.,]+) of (?<meant>[0-9.,]+) events/s, at most (?<late>[0-9.,]+) s after the time that was meant$",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex Line();
}
