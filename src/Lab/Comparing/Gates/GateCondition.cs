using System.Globalization;
using System.Text.RegularExpressions;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing.Gates;

/// <summary>
/// A condition that must not come true: <c>outloop.rate &lt; 0.95 * baseline.rate</c> or <c>pipelined.p99 &gt; 50</c>. On the left
/// are a label and a figure. On the right is another figure with a factor, or a number.
/// </summary>
/// <param name="Text">As it was written.</param>
/// <param name="Label">The label on the left.</param>
/// <param name="Figure">Its figure.</param>
/// <param name="IsBelow">Whether it must not be below the right side. Else not above it.</param>
/// <param name="Factor">The number, or what the right side's figure is multiplied by.</param>
/// <param name="Other">The label on the right. Null for a number alone.</param>
/// <param name="OtherFigure">Its figure. Null for a number alone.</param>
internal sealed partial record GateCondition(string Text, string Label, GateFigure Figure, bool IsBelow, double Factor, string? Other, GateFigure? OtherFigure)
{
    private const string Form = "write it as outloop.rate < 0.95 * baseline.rate or pipelined.p99 > 50";

    /// <summary>Reads a condition.</summary>
    /// <param name="text">The condition.</param>
    /// <param name="labels">What is compared.</param>
    /// <exception cref="UsageException">It is not a condition, or names a label that is not compared.</exception>
    public static GateCondition Read(string text, IReadOnlyCollection<string> labels)
    {
        var match = Whole().Match(text);
        if (!match.Success)
        {
            throw new UsageException($"'{text}': {Form}");
        }

        var (label, figure) = Term(text, match.Groups["left"].Value, labels);
        var right = match.Groups["right"].Value;
        var factor = match.Groups["factor"] is { Success: true } given ? Number(text, given.Value) : 1;
        if (right.Length == 0)
        {
            return new GateCondition(text, label, figure, match.Groups["op"].Value == "<", factor, null, null);
        }

        var (other, otherFigure) = Term(text, right, labels);
        return other == label && otherFigure == figure
            ? throw new UsageException($"'{text}': both sides are the same, {label}.{figure.Name}")
            : new GateCondition(text, label, figure, match.Groups["op"].Value == "<", factor, other, otherFigure);
    }

    private static (string Label, GateFigure Figure) Term(string text, string term, IReadOnlyCollection<string> labels)
    {
        var point = term.LastIndexOf('.');
        var (label, name) = (term[..point], term[(point + 1)..]);
        return (labels.Contains(label), GateFigure.All.FirstOrDefault(known => known.Name == name)) switch
        {
            (false, _) => throw new UsageException($"'{text}': '{label}' is not compared, allowed {string.Join(", ", labels)}"),
            (_, null) => throw new UsageException(
                $"'{text}': '{name}' is not a figure, allowed {string.Join(", ", GateFigure.All.Select(static known => known.Name))}"
            ),
            (_, { } figure) => (label, figure),
        };
    }

    private static double Number(string text, string number) =>
        double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && value > 0 && double.IsFinite(value)
            ? value
            : throw new UsageException($"'{text}': {NumberText.Quote(number)} is not a number above 0");

    // A label may hold colons, equals signs and hyphens.
    [GeneratedRegex(
        @"^\s*(?<left>[^\s<>*]+\.[a-z0-9]+)\s*(?<op>[<>])\s*((?<factor>[0-9][0-9.eE+-]*)(\s*\*\s*(?<right>[^\s<>*]+\.[a-z0-9]+))?|(?<right>[^\s<>*0-9][^\s<>*]*\.[a-z0-9]+))\s*$",
        RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex Whole();
}
