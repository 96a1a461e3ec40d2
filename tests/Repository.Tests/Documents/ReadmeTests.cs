using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Documents;

/// <summary>README.md, and what it shows in other pages, against the facts.</summary>
public sealed partial class ReadmeTests
{
    private static readonly string Readme = Document.Flowing("README.md");

    [Fact]
    public void Lists_every_exit_code_and_no_other()
    {
        var codes = new[] { typeof(ExitCode), typeof(CommandHost) }
            .SelectMany(type => type.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic))
            .Where(field => field.IsLiteral && field.FieldType == typeof(int))
            .Select(field => (int)field.GetRawConstantValue()!)
            .Distinct()
            .Order();
        var sentence = ExitCodes().Match(Document.Flowing("docs", "verify.md")).Value;

        Assert.Equal(codes, Number().Matches(sentence).Select(match => int.Parse(match.Value, CultureInfo.InvariantCulture)).Order());
    }

    [Fact]
    public void Begins_with_the_command_that_makes_its_ranking()
    {
        var command = CompareCommand.Create(
            new CommandConsole(TextWriter.Null, TextWriter.Null, static _ => null),
            ComparisonForm.Compare,
            _ => Task.FromResult(0)
        );

        Assert.Contains("which is fastest", Readme, StringComparison.Ordinal);
        Assert.Contains($"dotnet run --project src/Consumer {command.Name}\n", Document.Read("README.md"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Any official")]
    [InlineData("any machine")]
    public void The_readme_has_no_untested_claims(string claim) => Assert.DoesNotContain(claim, Readme, StringComparison.OrdinalIgnoreCase);

    [Fact]
    public void Names_the_SDKs_of_the_support_table()
    {
        var heading = Document.Read("tests", "Interop", "README.md").Split('\n').First(line => line.StartsWith("| feature |", StringComparison.Ordinal));

        Assert.Matches(Sdks(), Readme);
        Assert.All(
            Sdks().Match(Readme).Groups["names"].Value.Split(", ").SelectMany(part => part.Split(" and ")),
            name => Assert.Contains(name, heading, StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Method_shows_the_model_of_the_article_as_it_is_computed() =>
        Assert.Equal(
            Document
                .Read("docs", "method.md")
                .Split('\n')
                .First(line => line.StartsWith("| | ", StringComparison.Ordinal))
                .Split('|', StringSplitOptions.TrimEntries)[2..^1]
                .Select(name => ArticleForm.Predict(name, 10, 16, 0)!.EventsPerSecond.ToString("0.0", CultureInfo.InvariantCulture)),
            Assert.Single(Document.Rows(Document.Read("docs", "method.md"), "the model of it, computed"))
        );

    [Fact]
    public void Method_shows_the_rates_of_the_official_clients_that_the_page_of_the_article_has()
    {
        // The first row of the official clients is that of the rates.
        var rates = Document.Read("docs", "results", "article.md").Split('\n').First(line => line.StartsWith("|  | official | ", StringComparison.Ordinal));

        Assert.Equal(
            rates.Split('|', StringSplitOptions.TrimEntries)[3..^1],
            Assert.Single(Document.Rows(Document.Read("docs", "method.md"), "this program, measured.*"))
        );
    }

    [Fact]
    public void Shows_the_rate_and_the_ratio_that_the_page_of_the_comparison_has()
    {
        var page = Document.Read("docs", "results", "compare.md");
        var fastest = Document.Rows(page, "pipelined")[0];
        var degree = Degree().Match(page).Groups["degree"].Value;

        Assert.Contains(
            $"- {fastest[0]} events/s with `pipelined` at degree {degree}, official Azure clients: {fastest[2]} times `baseline` ([10 blocks](docs/results/compare.md)).",
            Readme,
            StringComparison.Ordinal
        );
    }

    /// <summary>What a reader copies is what a test builds on the packages, runs and kills.</summary>
    [Theory]
    [InlineData("README.md")]
    [InlineData("docs/library-processor.md")]
    public void The_program_of_ones_own_is_the_example_word_for_word(string document)
    {
        var example = Document.Read("examples", "Handler", "Program.cs");
        Assert.Contains($"```csharp\n{example}```", Document.Read(document), StringComparison.Ordinal);
        Assert.InRange(example.Split('\n').Count(line => line.Length > 0), 1, 15);
    }

    [Fact]
    public void The_typed_handler_is_that_of_a_test_word_for_word()
    {
        var sample = Document.Read("tests", "Hosting.Tests", "Samples", "OrderSample.cs");
        var shown = sample[(sample.IndexOf(";\n\ninternal", StringComparison.Ordinal) + 3)..];
        Assert.Contains($"```csharp\n{shown}```", Document.Read("docs/library.md"), StringComparison.Ordinal);
    }

    /// <summary>The run that is shown is one of today's program: the same lines in the same order, and figures that agree.</summary>
    [Fact]
    public void Page_of_the_verdict_shows_a_run_as_the_program_prints_it()
    {
        var shown = Sample().Match(Document.Read("docs", "verify.md")).Groups["lines"].Value.TrimEnd().Split('\n');
        using var output = new StringWriter();
        var report = Reports.Of("outloop") with
        {
            Figures = Reports.Figures(10) with { Sender = new ProcessUsage(TimeSpan.FromSeconds(1), 0) },
            Latencies =
            [
                new InjectedLatency
                {
                    Operation = "messageSend",
                    AskedMeanMs = 6,
                    AskedSerialMs = 1,
                    Count = 600,
                    MeanMs = 6,
                },
            ],
        };
        SummaryText.Write(report, output);

        Assert.Equal(output.ToString().TrimEnd().Split('\n').Select(Title), shown.Select(Title));
        Assert.Equal(NextStep.Of(report), shown[^1]);
        var (events, seconds) = (Figure(shown[2], @"measured (\d+) in"), Figure(shown[2], @"measured \d+ in ([\d.]+) s"));
        Assert.Equal(events / seconds, Figure(shown[3], @"throughput +([\d.]+)"), 0.01 * events / seconds);
    }

    // The first word. A line that begins with blanks or a dash has none.
    private static string Title(string line) => line.Split(' ')[0];

    private static double Figure(string line, string pattern) =>
        double.Parse(Regex.Match(line, pattern, RegexOptions.None, TimeSpan.FromSeconds(1)).Groups[1].Value, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"Exit codes: 0 .*?\. If", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex ExitCodes();

    [GeneratedRegex(@"\d+", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Number();

    [GeneratedRegex(@"batch 10, degree (?<degree>\d+)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Degree();

    [GeneratedRegex("official SDKs for (?<names>[^(]*) were tried", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Sdks();

    [GeneratedRegex("```\n(?<lines>strategy +outloop.*?)```", RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Sample();
}
