using System.Text.RegularExpressions;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>Names of configurations as text: <c>pipelined:batch=10:degree=128</c> is <c>pipelined, batch 10, degree 128</c>.</summary>
internal static partial class ShortNames
{
    /// <summary>A label, or a sentence with labels in it, with names in their place.</summary>
    public static string Of(string text) => Setting().Replace(text, ", ${name} ");

    /// <summary>The result with names in place of labels.</summary>
    public static ComparisonResult In(ComparisonResult result) =>
        result with
        {
            Sentences = [.. result.Sentences.Select(Of)],
            Strategies = [.. result.Strategies.Select(static one => one with { Label = Of(one.Label), Word = Of(one.Word) })],
            Pairs = [.. result.Pairs.Select(static pair => pair with { First = Of(pair.First), Second = Of(pair.Second) })],
            Cells = [.. result.Cells.Select(static cell => cell with { Label = Of(cell.Label) })],
            Sweep = result.Sweep is null ? null : [.. result.Sweep.Select(In)],
        };

    private static SweptSeries In(SweptSeries series) =>
        series with
        {
            Label = Of(series.Label),
            Degrees = [.. series.Degrees.Select(static degree => degree with { Label = Of(degree.Label) })],
            Sentence = Of(series.Sentence),
        };

    [GeneratedRegex(":(?<name>[a-z-]+)=", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Setting();
}
