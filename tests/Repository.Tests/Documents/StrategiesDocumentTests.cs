using System.Globalization;
using System.Text.RegularExpressions;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Documents;

/// <summary>docs/strategies.md against the code.</summary>
public sealed partial class StrategiesDocumentTests
{
    private static readonly string Text = Document.Read("docs", "strategies.md");

    public static TheoryData<string> Strategies => [.. StrategyCatalog.Names];

    public static TheoryData<string> Shown =>
        [.. Section().Matches(Text).Where(match => Code().IsMatch(match.Groups["body"].Value)).Select(match => match.Groups["name"].Value)];

    [Fact]
    public void Every_strategy_has_a_section_in_the_order_of_the_catalogue() =>
        Assert.Equal(StrategyCatalog.Names, Section().Matches(Text).Select(match => match.Groups["name"].Value));

    [Theory]
    [MemberData(nameof(Shown))]
    public void The_code_that_is_shown_is_that_of_the_strategys_file(string strategy)
    {
        var type = StrategyCatalog.Find(strategy).Create(new StrategyContext()).GetType();
        var source = Trimmed(File.ReadAllText(RepositoryFiles.GetPath("src", "Strategies", $"{type.Name}.cs")));
        var section = Section().Matches(Text).Single(match => match.Groups["name"].Value == strategy).Groups["body"].Value;
        var shown = Code().Match(section).Groups["code"].Value;

        // Part by part: text between two members in the file may be left out.
        Assert.Contains("DispatchAsync(IReadOnlyList<EventSlot> batch", shown, StringComparison.Ordinal);
        Assert.All(Trimmed(shown).Split("\n\n"), part => Assert.Contains(part, source, StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public void Each_section_states_its_use_promises_costs_and_failures(string strategy)
    {
        var section = Section().Matches(Text).Single(match => match.Groups["name"].Value == strategy).Groups["body"].Value;

        Assert.All(["When", "Promises", "Costs", "Breaks it"], word => Assert.Contains($"\n- **{word}**: ", section, StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Strategies))]
    public void The_table_has_the_order_that_is_declared_and_the_rate_that_the_model_predicts(string strategy)
    {
        var row = Assert.Single(Document.Rows(Text, $"`?{strategy}`?"));

        Assert.Equal(StrategyCatalog.Find(strategy).Ordering.ToString().ToLowerInvariant(), row[2]);
        Assert.Equal(ArticleForm.Predict(strategy, 10, 16, 0)?.EventsPerSecond.ToString("0.0", CultureInfo.InvariantCulture) ?? "-", row[4]);
    }

    private static string Trimmed(string code) => string.Join('\n', code.ReplaceLineEndings("\n").Trim().Split('\n').Select(line => line.Trim()));

    [GeneratedRegex(@"^## `(?<name>[^`]+)`\n(?<body>.*?)(?=^## |\z)", RegexOptions.ExplicitCapture | RegexOptions.Multiline | RegexOptions.Singleline, 1000)]
    private static partial Regex Section();

    [GeneratedRegex("```csharp\n(?<code>.*?)```", RegexOptions.ExplicitCapture | RegexOptions.Singleline, 1000)]
    private static partial Regex Code();
}
