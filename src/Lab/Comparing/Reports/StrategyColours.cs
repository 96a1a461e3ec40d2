using System.Globalization;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>The form of a point in a chart, which distinguishes strategies where colours do not.</summary>
internal enum MarkShape
{
    Circle,
    Square,
    Diamond,
    TriangleUp,
    TriangleDown,
}

/// <summary>How a strategy looks, wherever it is drawn.</summary>
/// <param name="Colour">Its colour, as <c>#RRGGBB</c>.</param>
/// <param name="Shape">The form of its points.</param>
/// <param name="Dash">The dashes and gaps of its lines in pixels. Null for a line without a gap.</param>
internal sealed record StrategyAppearance(string Colour, MarkShape Shape, string? Dash = null);

/// <summary>
/// One colour for each strategy, in every report. The first four are those of <c>grafana/dashboards/strategies.json</c>. With pipelined and keyed they are of
/// the palette by Okabe and Ito, which people with any vision of colour can distinguish. No fifteen colours have that property. So charts name every line and
/// row, and points have different forms.
/// </summary>
internal static class StrategyColours
{
    private static readonly string?[] Dashes = [null, "6 3", "2 3", "9 3 2 3"];

    /// <summary>The looks that are known by name, those of a build with the official packages included.</summary>
    public static IReadOnlyDictionary<string, StrategyAppearance> Known { get; } =
        new Dictionary<string, StrategyAppearance>(StringComparer.Ordinal)
        {
            ["baseline"] = new("#E69F00", MarkShape.Circle),
            ["inloop"] = new("#56B4E9", MarkShape.Square),
            ["outloop"] = new("#009E73", MarkShape.Diamond),
            ["combined"] = new("#CC79A7", MarkShape.TriangleUp),
            ["foreachasync"] = new("#8E63CE", MarkShape.TriangleDown),
            ["pipelined"] = new("#0072B2", MarkShape.Circle),
            ["keyed"] = new("#D55E00", MarkShape.Square),
            ["keyed-shards"] = new("#A65628", MarkShape.Diamond),
            ["batched"] = new("#8F8A00", MarkShape.TriangleUp),
            ["adaptive"] = new("#E0457B", MarkShape.TriangleDown),
            ["whenall"] = new("#7D8590", MarkShape.Circle),
            ["published"] = new("#4FA3A5", MarkShape.Square),
            ["functions"] = new("#B58B4C", MarkShape.Diamond),
            ["outloop-dasync"] = new("#58A618", MarkShape.TriangleDown),
            ["combined-dasync"] = new("#B14FB5", MarkShape.Square),
        };

    /// <summary>How a strategy looks. An unknown strategy has a colour by its name, the same in every report.</summary>
    /// <param name="name">The strategy.</param>
    /// <param name="variant">Which one of several with other settings it is, from 0: same colour, other line.</param>
    public static StrategyAppearance Of(string name, int variant = 0)
    {
        var look = Known.GetValueOrDefault(name) ?? ByName(name);
        return look with { Shape = (MarkShape)(((int)look.Shape + variant) % Enum.GetValues<MarkShape>().Length), Dash = Dashes[variant % Dashes.Length] };
    }

    private static StrategyAppearance ByName(string name)
    {
        var hash = ComputeHash(name);
        return new StrategyAppearance(FromHue(hash % 360), (MarkShape)(hash / 360 % 5));
    }

    // FNV-1a: the same in every process, which string.GetHashCode is not.
    private static uint ComputeHash(string name)
    {
        var hash = 2166136261u;
        foreach (var letter in name)
        {
            hash = unchecked((hash ^ letter) * 16777619u);
        }

        return hash;
    }

    // Saturation 45 %, lightness 50 %: legible on white and on black.
    private static string FromHue(double hue)
    {
        return string.Create(CultureInfo.InvariantCulture, $"#{Channel(0):X2}{Channel(8):X2}{Channel(4):X2}");

        int Channel(int offset)
        {
            var turn = (offset + (hue / 30)) % 12;
            return (int)Math.Round(255 * (0.5 - (0.225 * Math.Max(-1, Math.Min(Math.Min(turn - 3, 9 - turn), 1)))));
        }
    }
}
