using System.Xml.Linq;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.MessageSweeping;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>The sentences about a processor sweep follow from its cells alone.</summary>
public sealed class MessageSweepReportTests
{
    [Fact]
    public void The_lowest_concurrency_near_the_best_rate_is_enough()
    {
        var sentences = MessageSweepSentences.Of([SweptCells.Of(8, 120), SweptCells.Of(96, 1_960), SweptCells.Of(128, 2_000), SweptCells.Of(8, 110, cores: 1)]);
        Assert.Equal("builtin, 2 cores, 2 GiB: 2,000 messages/s at concurrency 128. 95 % of that are reached from concurrency 96 on.", sentences[0]);
        Assert.Contains("builtin, 1 core, 2 GiB: 110 messages/s at concurrency 8", sentences[1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_best_rate_at_the_edge_of_the_grid_is_reported_as_such() =>
        Assert.Contains("the highest that was run", MessageSweepSentences.Of([SweptCells.Of(8, 120), SweptCells.Of(16, 240)])[0], StringComparison.Ordinal);

    [Fact]
    public void A_pool_that_is_too_small_is_warned_of_and_one_that_suffices_is_not()
    {
        var starved = MessageSweepSentences.Of([.. Repeated(0, 250, 255), .. Repeated(100, 1_350, 1_340)]);
        Assert.Contains(
            starved,
            static sentence =>
                sentence.StartsWith("Warning: the default thread pool is too small", StringComparison.Ordinal)
                && sentence.Contains("5.40 times", StringComparison.Ordinal)
        );
        var enough = MessageSweepSentences.Of([.. Repeated(0, 1_340, 1_300), .. Repeated(100, 1_350, 1_340)]);
        Assert.DoesNotContain(enough, static sentence => sentence.StartsWith("Warning", StringComparison.Ordinal));
        Assert.Contains(enough, static sentence => sentence.Contains("a minimum above the concurrency", StringComparison.Ordinal));
        Assert.Contains(
            MessageSweepSentences.Of([SweptCells.Of(96, 250, threads: 20)]),
            static sentence => sentence.Contains("the minimum of threads is below the concurrency", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Single_cells_do_not_decide_about_threads()
    {
        Assert.Contains(
            MessageSweepSentences.Of([SweptCells.Of(96, 250), SweptCells.Of(96, 1_350, threads: 100)]),
            static sentence => sentence.StartsWith("Threads: no conclusion. 5 cells", StringComparison.Ordinal)
        );
        Assert.Contains(
            MessageSweepSentences.Of([.. Repeated(0, 1_000, 1_340), .. Repeated(100, 1_340, 1_350)]),
            static sentence => sentence.StartsWith("Threads: not decided. At concurrency 96", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void A_fixed_pool_below_the_concurrency_is_compared_with_enough_threads_of_the_same_clients()
    {
        MessageCell[] cells =
        [
            Fixed(20, 80),
            SweptCells.Of(96, 360, threads: 100),
            SweptCells.Of(96, 9_999, threads: 100) with
            {
                Point = new MessagePoint(96, 100, 2, 2, 0, "official"),
            },
        ];

        var sentence = Assert.Single(MessageSweepSentences.Of(cells), static one => one.StartsWith("At concurrency 96, threads =20", StringComparison.Ordinal));
        Assert.Contains("0.22 of that with enough threads (80.0 against 360 messages/s, medians of 1 and 1 cells)", sentence, StringComparison.Ordinal);
        Assert.EndsWith("Set the minimum of the pool above the concurrency, or await in the handler.", sentence, StringComparison.Ordinal);
        Assert.Contains(
            MessageSweepSentences.Of([Fixed(20, 355), .. cells[1..]]),
            static one => one.EndsWith("A handler that awaits holds no thread.", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(
            MessageSweepSentences.Of([Fixed(20, 80)]),
            static one => one.Contains("enough threads", StringComparison.Ordinal) || one.Contains("below the concurrency", StringComparison.Ordinal)
        );
        Assert.Equal(250, PublishedFigures.Of(cells[0].Point)?.MessagesPerS);
    }

    [Fact]
    public void Builds_are_compared_pair_by_pair_with_the_packages_that_differ()
    {
        var cells = Enumerable
            .Range(0, 5)
            .SelectMany(static repeat => new[] { OfBuild(null, repeat, 990 + repeat), OfBuild("../before", repeat, 500) })
            .ToList();

        Assert.Contains(
            "At concurrency 96, threads default, 2 cores, 2 GiB, builtin the rate of this build was 1.984 (1.980 to 1.988) of that of build ../before (P 2.0 against P 1.0). Its processor time a message was 0.504 (0.503 to 0.505) of the other's. 5 pairs of cells.",
            MessageSweepSentences.Of(cells)
        );
        Assert.Contains(
            MessageSweepSentences.Of([OfBuild(null, 0, 500), OfBuild("../before", 0, 500) with { Program = OfBuild(null, 0, 1).Program }]),
            static sentence =>
                sentence.EndsWith(
                    "(the same packages). Its processor time a message was 1.000 of the other's. 1 pair of cells, an interval needs 5.",
                    StringComparison.Ordinal
                )
        );
        Assert.Contains(
            "| builtin of build ../before |",
            MessageSweepReports.Of(ReportFormat.Markdown, SweptCells.Result(["sweep"], [.. cells])),
            StringComparison.Ordinal
        );

        static MessageCell OfBuild(string? build, int repeat, double rate) =>
            SweptCells.Of(96, rate) with
            {
                Point = new MessagePoint(96, 0, 2, 2, repeat, Build: build),
                Program = SweptCells.Result(["sweep"]).Program with { Packages = [build is null ? "P 2.0" : "P 1.0"] },
            };
    }

    [Theory]
    [InlineData("processor", 0, 0, 1_454.5)]
    [InlineData("processor", 100, 0, 578.3)]
    [InlineData("processor", 100, 20, 200)]
    [InlineData("processor", 0, 20, 1_454.5)]
    public void The_model_counts_blocked_time_and_the_threads_that_block(string profile, int block, int threads, double expected)
    {
        var plan = new MessageSweepPlan
        {
            Points = [],
            Profile = profile,
            Rate = 4_000,
            WarmUp = default,
            Length = default,
            Topic = false,
            Arguments = [],
            Work = new HandlerWork(default, TimeSpan.FromMilliseconds(block)),
        };

        Assert.Equal(expected, plan.GetModel(new MessagePoint(96, threads, 2, 2, 0, IsFixed: threads > 0)), 1);
    }

    [Fact]
    public void The_bounds_of_rates_are_counted_and_a_failed_cell_is_named()
    {
        var doubtful = MessageSweepSentences.Of([
            SweptCells.Of(8, 120, bounds: "input"),
            SweptCells.Of(16, 240, bounds: ["emulator", "profile"]),
            SweptCells.Of(32, null),
        ]);
        Assert.Contains(doubtful, static sentence => sentence.StartsWith("1 of 2 cells: input-bound", StringComparison.Ordinal));
        Assert.Contains(doubtful, static sentence => sentence.StartsWith("1 of 2 cells: emulator-bound", StringComparison.Ordinal));
        Assert.Contains(
            doubtful,
            static sentence => sentence.Contains("concurrency 32, threads default, 2 cores, 2 GiB, builtin: killed-memory", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(doubtful, static sentence => sentence.StartsWith("In every cell the input", StringComparison.Ordinal));
        Assert.Contains(
            MessageSweepSentences.Of([SweptCells.Of(8, 120)]),
            static sentence => sentence.StartsWith("In every cell the input was above the rate", StringComparison.Ordinal)
        );
        Assert.Equal(["No cell was measured."], MessageSweepSentences.Of([]).Take(1));
    }

    [Fact]
    public void Published_figures_are_shown_beside_the_measured_ones_in_every_form()
    {
        var result = SweptCells.Result(["sweep"], SweptCells.Of(96, 1_403.4), SweptCells.Of(16, 238));
        var markdown = MessageSweepReports.Of(ReportFormat.Markdown, result);
        Assert.Contains("| builtin | default | 96 | 2 | 2 | 1,403 | 96 % | 12 |", markdown, StringComparison.Ordinal);
        Assert.Contains("| 1,350 | 55 | 900 |", markdown, StringComparison.Ordinal);
        Assert.Contains(",1403.4,", MessageSweepReports.Of(ReportFormat.Csv, result), StringComparison.Ordinal);
        using var terminal = new StringWriter();
        MessageSweepReports.Write(result, 200, terminal);
        Assert.All(
            terminal.ToString().Split('\n').SkipWhile(static line => !line.Contains("concurrency ", StringComparison.Ordinal)),
            static line => Assert.InRange(line.Length, 0, 400)
        );
        Assert.Contains("1,403", terminal.ToString(), StringComparison.Ordinal);

        var page = XDocument.Parse(MessageSweepReports.Of(ReportFormat.Html, result));
        Assert.Contains(page.Descendants("data"), static number => number.Attribute("value")!.Value == "1403.4" && number.Value == "1,403");
        Assert.Empty(page.Descendants("script"));
        Assert.Equal(2, page.Descendants("figure").Single().Elements("svg").Count());
        Assert.Contains("builtin, 2 cores, 2 GiB at 96: 1,403 messages/s", page.Descendants("figure").Single().Value, StringComparison.Ordinal);
    }

    [Fact]
    public void A_page_without_rates_states_that_there_is_nothing_to_draw()
    {
        var page = XDocument.Parse(MessageSweepReports.Of(ReportFormat.Html, SweptCells.Result(["sweep"])));

        Assert.Empty(page.Descendants("figure"));
        Assert.Contains("No cell has a rate", page.Root!.Value, StringComparison.Ordinal);
    }

    private static MessageCell Fixed(int threads, double rate) =>
        SweptCells.Of(96, rate) with
        {
            Point = new MessagePoint(96, threads, 2, 2, 0, IsFixed: true),
        };

    // Five cells of one point, three of them at the first rate.
    private static IEnumerable<MessageCell> Repeated(int threads, double rate, double other) =>
        Enumerable
            .Range(0, 5)
            .Select(place => SweptCells.Of(96, place < 3 ? rate : other, threads) with { Point = new MessagePoint(96, threads, 2, 2, place) });

    [Fact]
    public void Limits_are_those_of_a_container_of_that_size()
    {
        var command = LimitedProcess.Within(
            new("consumer", "run") { Variables = new Dictionary<string, string> { ["KEY"] = "value" } },
            new MessagePoint(8, 0, 2, 6, 0)
        );
        Assert.Equal(["-c", "0,1", "consumer", "run"], command.Arguments);
        Assert.Equal(("120000000", "value"), (command.Variables["DOTNET_GCHeapHardLimit"], command.Variables["KEY"]));
    }
}
