using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Comparing.Sweeping;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>The grid of a sweep.</summary>
/// <param name="components">The available strategies and sinks.</param>
internal sealed class SweepArguments(AvailableComponents components)
{
    private const int MostDegree = 4096;
    private const int MostBatch = 10_000;
    private const int MostPoints = 400;

    private readonly Option<IReadOnlyList<string>> degrees = Options.List(
        "--degrees",
        $"Degrees to run at. {ScalabilityFit.FewestDegrees} or more give a scalability law and a knee (1 to {MostDegree})",
        ["1", "2", "4", "8", "16", "32", "64", "128"]
    );

    private readonly Option<IReadOnlyList<string>> batches = Options.List("--batches", $"Batch sizes to run with (1 to {MostBatch})", ["10"]);

    public Option[] All => [degrees, batches];

    /// <summary>The problems of the grid.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="strategies">The swept strategies.</param>
    public IEnumerable<string> Problems(CommandResult result, IReadOnlyCollection<string> strategies)
    {
        List<string> problems = [.. ProblemsOf(result, degrees, MostDegree), .. ProblemsOf(result, batches, MostBatch)];
        problems.AddRange(
            AxesIn(strategies)
                .Select(static wrong =>
                    $"--strategies '{wrong.text}': {wrong.axis} is an axis of the sweep, set it with --{(wrong.axis == "degree" ? "degrees" : "batches")}"
                )
        );
        return problems.Count == 0 && Points(result, strategies).Count is > MostPoints and var points
            ? [$"{degrees.Name}: {points} runs a block, at most {MostPoints}"]
            : problems;
    }

    /// <summary>Whether a strategy sets a degree or a batch, which are axes of the grid.</summary>
    public static bool NamesAnAxis(IEnumerable<string> strategies) => AxesIn(strategies).Any();

    /// <summary>The batch of every point if there is only one, so that labels omit it. Otherwise null.</summary>
    public int? OnlyBatch(CommandResult result) => Numbers(result, batches, MostBatch) is [var only] ? only : null;

    /// <summary>Every point of the grid. Sequential strategies have only one degree.</summary>
    public IReadOnlyList<SweepPoint> Points(CommandResult result, IEnumerable<string> strategies) =>
        [
            .. from text in strategies
            from batch in Numbers(result, batches, MostBatch)
            from degree in TakesEventsInTurn(text) ? [1] : Numbers(result, degrees, MostDegree)
            select new SweepPoint(OnlyBatch(result) is null ? $"{text}:batch={batch}" : text, degree),
        ];

    private static IEnumerable<(string text, string axis)> AxesIn(IEnumerable<string> strategies) =>
        strategies.SelectMany(static text =>
            ((string[])["degree", "batch"]).Where(axis => text.Contains($":{axis}=", StringComparison.Ordinal)).Select(axis => (text, axis))
        );

    private bool TakesEventsInTurn(string text) => components.Strategies.FirstOrDefault(known => known.Name == text.Split(':')[0])?.TakesEventsInTurn ?? false;

    private static IEnumerable<string> ProblemsOf(CommandResult result, Option<IReadOnlyList<string>> option, int most)
    {
        var texts = result.GetValue(option)!;
        if (texts.Count == 0)
        {
            yield return $"{option.Name}: none given, allowed 1 to {most}";
        }

        foreach (var text in texts)
        {
            if (GetNumber(text, most) is null)
            {
                yield return $"{option.Name} {NumberText.Quote(text)}: out of range, allowed 1 to {most}";
            }
        }

        foreach (var twice in texts.GroupBy(static text => text, StringComparer.Ordinal).Where(static same => same.Count() > 1))
        {
            yield return $"{option.Name} '{twice.Key}': given twice";
        }
    }

    // An invalid value is reported for the option alone. One point remains, so that the strategies are checked too.
    private static List<int> Numbers(CommandResult result, Option<IReadOnlyList<string>> option, int most)
    {
        List<int> numbers = [.. result.GetValue(option)!.Select(text => GetNumber(text, most)).OfType<int>().Distinct()];
        return numbers.Count > 0 ? numbers : [1];
    }

    private static int? GetNumber(string text, int most) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number >= 1 && number <= most ? number : null;
}
