using System.Text.RegularExpressions;
using EventHubThroughput.Load.Pages;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Load.Tests.Pages;

/// <summary>The figures of docs/results against their data: each generated part of a page is rendered again.</summary>
public sealed partial class ResultPagesTests
{
    private static readonly string Folder = RepositoryFiles.GetPath("docs", "results");
    private static readonly PageData Data = new(Folder);

    private static readonly string[] Targets =
    [
        .. TargetName().Matches(File.ReadAllText(Path.Combine(Folder, "make"))).Select(static match => match.Groups["name"].Value),
    ];

    /// <summary>
    /// Targets of docs/results/make that have not run since it writes data: their pages still have the figures of before. An entry whose data exist fails.
    /// </summary>
    private static readonly string[] NotRunAgain = [];

    /// <summary>Pages without a generated part, with the reason.</summary>
    private static readonly Dictionary<string, string> WithoutData = new(StringComparer.Ordinal)
    {
        ["faults.md"] = "the matrix writes its lines (tests/Safety), and reads them again",
    };

    /// <summary>Pages that were sections of README.md and have a table that is not generated, with the reason.</summary>
    private static readonly Dictionary<string, string> TablesWithoutData = new(StringComparer.Ordinal)
    {
        ["ceiling.md"] = "start and end are of eight manual starts, and each table of what moved it is of another commit, which it names",
        ["harness.md"] = "its last table compares two commits",
        ["sweep.md"] = "near the limit are two comparisons at a rate, of which no data were kept",
    };

    /// <summary>Headlines of README.md that no view of the data shows, by their page, with the reason.</summary>
    private static readonly Dictionary<string, string> HeadlinesWithoutData = new(StringComparer.Ordinal)
    {
        ["article.md"] = "a difference over several rows",
        ["attacks.md"] = "over six tables",
        ["mutation.md"] = "over the rows of its table",
        ["soak-consumer.md"] = "a duration",
        ["unusual.md"] = "counted over a column of text",
    };

    public static TheoryData<string> Pages =>
        [.. Directory.EnumerateFiles(Folder, "*.md").Select(static path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Each_generated_part_shows_its_data(string page) => Assert.Empty(GetDifferences(Read(page)));

    [Theory]
    [MemberData(nameof(Pages))]
    public void A_page_has_generated_parts_or_a_reason(string page) =>
        Assert.True(
            WithoutData.ContainsKey(page) != PageBlocks.Find(Read(page)).Count > 0,
            $"{page}: give it a part that docs/results/make renders, or a reason in {nameof(WithoutData)}, not both"
        );

    [Theory]
    [MemberData(nameof(Pages))]
    public void A_part_without_data_is_of_a_target_that_has_not_run_again(string page) =>
        Assert.All(
            PageBlocks.Find(Read(page)).Where(static block => !File.Exists(Path.Combine(Folder, block.File))),
            static block => Assert.Contains(GetTarget(block.File), NotRunAgain)
        );

    [Fact]
    public void A_target_that_has_run_is_taken_out_of_the_list()
    {
        var run = Directory.EnumerateFiles(Path.Combine(Folder, "data")).Select(static path => GetTarget($"data/{Path.GetFileName(path)}")).ToHashSet();

        Assert.All(NotRunAgain, target => Assert.DoesNotContain(target, run));
        Assert.All(NotRunAgain, static target => Assert.Contains(target, Targets));
    }

    [Fact]
    public void Each_table_of_these_pages_is_generated_or_has_a_reason()
    {
        string[] pages = ["ceiling.md", "harness.md", "processor.md", "pump.md", "soak.md", "sweep.md"];

        Assert.Equal(
            TablesWithoutData.Keys.Order(StringComparer.Ordinal),
            pages.Where(static page => Regex.IsMatch(PageBlocks.Remove(Read(page)), @"^\|[ ]?--", RegexOptions.Multiline, TimeSpan.FromSeconds(10)))
        );
    }

    [Fact]
    public void The_overview_is_one_screen_with_one_table()
    {
        var page = Read("README.md");

        Assert.Single(Regex.Matches(page, @"^\|--", RegexOptions.Multiline, TimeSpan.FromSeconds(10)));
        Assert.InRange(page.Split('\n').Length, 1, 50);
    }

    [Fact]
    public void Each_headline_with_a_figure_is_generated_or_has_a_reason()
    {
        var headlines = HeadlineRow()
            .Matches(Read("README.md"))
            .ToDictionary(static row => row.Groups["page"].Value, static row => row.Groups["headline"].Value);
        Assert.Equal(22, headlines.Count);
        Assert.All(HeadlinesWithoutData.Keys, page => Assert.Contains(page, headlines.Keys));

        foreach (var (page, headline) in headlines.Where(static one => !HeadlinesWithoutData.ContainsKey(one.Key)))
        {
            Assert.DoesNotMatch(@"(?<![\w`])\d+([.,]\d+)? (lost|of|x|us|events|messages|cells|%)", PageBlocks.Remove(headline));
        }
    }

    [Theory]
    [InlineData("processor.md", "| 3,822 (3,820 to", "| 3,823 (3,820 to", "processor-named.json")]
    [InlineData("README.md", "-->3,822<!--", "-->3,832<!--", "processor-named.json")]
    [InlineData("README.md", "10.00 x", "10.01 x", "compare.json.gz")]
    [InlineData("operations.md", "| 516,577 |", "| 516,578 |", "operations.json")]
    public void A_figure_that_differs_by_one_digit_is_found(string page, string figure, string changed, string file)
    {
        var text = Read(page);
        Assert.Contains(figure, text, StringComparison.Ordinal);

        Assert.Contains($"{file}: ", Assert.Single(GetDifferences(text.Replace(figure, changed, StringComparison.Ordinal))), StringComparison.Ordinal);
    }

    private static IReadOnlyList<string> GetDifferences(string page) =>
        [
            .. PageBlocks
                .Find(page)
                .Select(static block => (block.File, Shown: block.Text.Trim(), Rendered: Data.Render(block)))
                .Where(static one => one.Rendered is not null && one.Rendered != one.Shown)
                .Select(static one => $"{one.File}: {GetFirstDifference(one.Shown, one.Rendered!)}. docs/results/make --pages renders it again"),
        ];

    private static string GetFirstDifference(string shown, string rendered)
    {
        var (one, other) = (shown.Split('\n'), rendered.Split('\n'));
        var line = Enumerable.Range(0, Math.Max(one.Length, other.Length)).First(at => one.ElementAtOrDefault(at) != other.ElementAtOrDefault(at));
        return $"'{one.ElementAtOrDefault(line)}' is shown, and the data have '{other.ElementAtOrDefault(line)}'";
    }

    // data/pump-rate-1.csv is of the target pump, data/soak-consumer-1.csv of soak-consumer. Null for what no target writes.
    private static string? GetTarget(string file) =>
        Targets.Where(target => file.StartsWith($"data/{target}", StringComparison.Ordinal)).MaxBy(static target => target.Length);

    private static string Read(string page) => File.ReadAllText(Path.Combine(Folder, page));

    [GeneratedRegex(
        @"^\| [^|]*\? \| (\[[^\]]*\]\((?<page>[^)]*)\)).*? \| (?<headline>[^|]*) \|$",
        RegexOptions.Multiline | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 10_000
    )]
    private static partial Regex HeadlineRow();

    [GeneratedRegex(@"^target_(?<name>[a-z-]+)\(\)", RegexOptions.Multiline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex TargetName();
}
