using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Supervision;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Cli;

/// <summary>The options that strategies declare, on the command lines of <c>run</c> and <c>supervise</c>, in the summary and in the result file.</summary>
public sealed class StrategyOptionLineTests
{
    private static readonly StrategyDescriptor Lanes = Declaring(
        "lanes",
        new StrategyOption("shards", 16, 1, 256, "Lanes that keys share."),
        new StrategyOption("patience", 5, 0, 1000, "Milliseconds for a batch to fill.")
    );

    private static readonly StrategyDescriptor Rows = Declaring("rows", new StrategyOption("shards", 2, 1, 8, "Rows beside each other."));

    private readonly List<RunOptions> started = [];
    private readonly List<SupervisionPlan> plans = [];

    [Theory]
    [InlineData("--strategy=lanes", "shards 16, patience 5")]
    [InlineData("--strategy=lanes --shards=256", "shards 256, patience 5")]
    [InlineData("--strategy=lanes --patience=0 --shards=1 --degree=3 --window=9", "shards 1, patience 0")]
    [InlineData("--strategy=rows --shards=8", "shards 8")]
    [InlineData("--strategy=outloop", "")]
    public async Task A_run_gets_what_was_chosen_and_the_default_of_what_was_not(string arguments, string expected)
    {
        Assert.Equal((0, ""), await RunAsync(arguments));

        var options = Assert.Single(started);
        Assert.Equal(expected, string.Join(", ", options.StrategyOptionsInForce.Select(option => $"{option.Key} {option.Value}")));
    }

    [Theory]
    [InlineData("--patience=3", "--patience: strategy baseline has no such option, only lanes")]
    [InlineData("--strategy=rows --patience=3", "--patience: strategy rows has no such option, only lanes")]
    [InlineData("--strategy=outloop --shards=3", "--shards: strategy outloop has no such option, only lanes, rows")]
    [InlineData("--strategy=lanes --patience=1001", "--patience 1001: out of range, allowed 0 to 1000")]
    [InlineData("--strategy=lanes --shards=257", "--shards 257: out of range, allowed 1 to 256")]
    [InlineData("--strategy=rows --shards=9", "--shards 9: out of range for strategy rows, allowed 1 to 8")]
    [InlineData("--strategy=lanes --shards=many", "--shards 'many': not a whole number, allowed 1 to 256")]
    [InlineData("--shardes=3", "--shardes: unknown option, did you mean '--shards'?")]
    public async Task Refuses_what_the_chosen_strategy_does_not_have_or_allow(string arguments, string expected)
    {
        Assert.Equal((2, $"error: {expected}\n"), await RunAsync(arguments));
        Assert.Equal((2, $"error: {expected}\n"), await RunAsync("run " + arguments));
        Assert.Empty(started);
    }

    [Fact]
    public async Task The_help_lists_the_strategies_range_and_default_of_each_option()
    {
        var patience = @"\n  --patience N +Strategy lanes: Milliseconds for a batch to fill \(0 to 1000\) \[5\]\n";
        var shards = @"\n  --shards N +Strategy lanes: Lanes that keys share \(1 to 256\) \[16\]; Strategy rows: Rows beside each other \(1 to 8\) \[2\]\n";
        foreach (var command in new[] { "--help", "run --help", "supervise --help" })
        {
            var (code, help) = await RunAsync(command, ofOutput: true);

            Assert.Equal(0, code);
            Assert.Matches(patience, help);
            Assert.Matches(shards, help);
        }
    }

    [Fact]
    public async Task A_supervisor_hands_each_strategy_what_it_has()
    {
        Assert.Equal((0, ""), await RunAsync("supervise --shards=7 --patience=1 --batch=20"));

        var plan = Assert.Single(plans);
        Assert.Equal(
            (7, 1),
            (plan.GetStart(Lanes, "x").Processing.StrategyOptions["shards"], plan.GetStart(Lanes, "x").Processing.StrategyOptions["patience"])
        );
        Assert.Equal(7, Assert.Single(plan.GetStart(Rows, "x").Processing.StrategyOptions).Value);
        Assert.Equal(
            (7, 1),
            (plan.GetOptions(Lanes, "x").Processing.StrategyOptions["shards"], plan.GetOptions(Lanes, "x").Processing.StrategyOptions["patience"])
        );
        Assert.Empty(plan.GetOptions(StrategyCatalog.Find("baseline"), "x").Processing.StrategyOptions);
    }

    [Theory]
    [InlineData("--shards=9", "--shards 9: out of range for strategy rows, allowed 1 to 8")]
    [InlineData("--strategy=combined --patience=9", "--patience: strategy combined has no such option, only lanes")]
    public async Task A_supervisor_refuses_what_one_of_its_strategies_does_not_allow(string arguments, string expected)
    {
        Assert.Equal((2, $"error: {expected}\n"), await RunAsync("supervise " + arguments));
        Assert.Empty(plans);
    }

    [Fact]
    public void An_option_that_is_named_like_another_one_is_a_mistake_of_its_author() =>
        Assert.Equal(
            "--batch of strategy greedy: 'test' has an option of this name",
            Assert
                .Throws<UsageException>(() =>
                    new RunArguments(null, AvailableComponents.With(Declaring("greedy", new StrategyOption("batch", 1, 1, 2, "x.")))).AddTo(
                        new Command("test"),
                        true
                    )
                )
                .Message
        );

    [Fact]
    public void Summary_and_result_file_show_the_values_in_force()
    {
        var report = Reports.Of(Lanes);
        report = report with
        {
            Options = report.Options.With(static processing =>
                processing with
                {
                    StrategyOptions = new Dictionary<string, int>(StringComparer.Ordinal) { ["patience"] = 70 },
                }
            ),
        };
        var summary = new StringWriter();
        SummaryText.Write(report, summary);

        Assert.StartsWith("strategy    lanes, shards 16, patience 70, degree 16", summary.ToString(), StringComparison.Ordinal);
        Assert.Equal([new("shards", 16), new("patience", 70)], ResultDocument.Of(report, "1").Strategy.Options);
        Assert.Empty(ResultDocument.Of(Reports.Of("combined"), "1").Strategy.Options);
    }

    private static StrategyDescriptor Declaring(string name, params StrategyOption[] options) =>
        new(name, "Has options.", OrderingGuarantee.None, context => new CombinedStrategy(context)) { Options = options };

    private async Task<(int Code, string Said)> RunAsync(string arguments, bool ofOutput = false)
    {
        await using var output = new StringWriter();
        await using var error = new StringWriter();
        var console = new CommandConsole(output, error, static _ => null);
        var components = AvailableComponents.With(Lanes, Rows);
        var root = ConsumerCommand.Create(
            console,
            (options, _, _) =>
            {
                started.Add(options);
                return Task.FromResult(0);
            },
            components
        );
        root.Subcommands.Add(
            SuperviseCommand.Create(
                console,
                plan =>
                {
                    plans.Add(plan);
                    return Task.FromResult(0);
                },
                hasSignals: true,
                components
            )
        );
        var code = await CommandHost.RunAsync(root, arguments.Split(' '), console, TestContext.Current.CancellationToken);
        return (code, (ofOutput ? output : error).ToString());
    }
}
