using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Comparing;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Verification;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Tests.Doubles;

/// <summary>A comparison whose cells were not run: each rate is given.</summary>
internal static class MadeUpComparison
{
    /// <summary>What a sender reports that kept to a rate, or did not.</summary>
    public static SentFigures Sent(double achieved, double intended, double mostLateMs) =>
        new()
        {
            Run = "run",
            Hub = "hub",
            Intended = 1,
            Attempted = 1,
            Acknowledged = 1,
            Failed = 0,
            Unknown = 0,
            TookS = 1,
            AchievedPerS = achieved,
            IntendedPerS = intended,
            MostLateMs = mostLateMs,
        };

    /// <summary>The plan of a command line.</summary>
    public static Task<ComparisonPlan> PlanAsync(params string[] arguments) => PlanAsync(ComparisonForm.Compare, arguments);

    /// <summary>The plan of a command line of either command.</summary>
    public static async Task<ComparisonPlan> PlanAsync(ComparisonForm form, params string[] arguments)
    {
        ComparisonPlan? plan = null;
        await using var error = new StringWriter();
        var root = new RootCommand("test");
        var console = new CommandConsole(TextWriter.Null, error, static _ => null);
        root.Subcommands.Add(
            CompareCommand.Create(
                console,
                form,
                found =>
                {
                    plan = found;
                    return Task.FromResult(0);
                }
            )
        );
        await CommandHost.RunAsync(root, [form.Name, .. arguments], console, CancellationToken.None);
        return plan ?? throw new InvalidOperationException($"{error}");
    }

    /// <summary>Blocks of which each has these rates, in the order of the plan. The reference is at both ends.</summary>
    public static IReadOnlyList<ComparedCell> Blocks(ComparisonPlan plan, params IReadOnlyList<double>[] blocks) =>
        [
            .. blocks.SelectMany(
                (rates, block) =>
                    plan
                        .Configurations.Append(plan.Reference)
                        .Select((configuration, place) => Cell(configuration.Label, block, place, rates[place % plan.Configurations.Count]))
            ),
        ];

    /// <summary>A cell of a rate that nothing is wrong with.</summary>
    public static ComparedCell Cell(string label, int block, int place, double rate) =>
        new()
        {
            Label = label,
            Block = block,
            OrderInBlock = place,
            Result = GetResult(rate),
        };

    public static ComparedCell With(this ComparedCell cell, RateBound bound) =>
        cell with
        {
            Result = cell.Result! with { Bounds = cell.Result.Bounds with { Bound = bound } },
        };

    /// <summary>A cell whose events were sent at a rate, with their times from the scheduled send time.</summary>
    public static ComparedCell Sent(this ComparedCell cell, double p50, double? p99, bool? fallsBehind = false) =>
        cell with
        {
            Result = cell.Result! with
            {
                Input = cell.Result.Input with
                {
                    FallsBehind = fallsBehind,
                    LagGrowth = fallsBehind == true ? 0.2 : 0,
                    RateIntendedPerS = 100,
                    RateAchievedPerS = 100,
                },
                Stages = new Dictionary<string, StageFigures>(cell.Result.Stages)
                {
                    ["endtoend"] = new()
                    {
                        Count = 5000,
                        P50Ms = p50,
                        P99Ms = p99,
                    },
                },
            },
        };

    /// <summary>A cell whose last windows have settled, or have not.</summary>
    public static ComparedCell Settled(this ComparedCell cell, bool? settled) =>
        cell with
        {
            Result = cell.Result! with { Time = cell.Result.Time with { Settled = settled } },
        };

    public static ComparedCell With(this ComparedCell cell, VerdictOutcome outcome, string line) =>
        cell with
        {
            Apart = outcome == VerdictOutcome.Pass ? null : line,
            Result = cell.Result! with
            {
                Safety = cell.Result.Safety with
                {
                    Outcome = outcome,
                    Verdict = outcome == VerdictOutcome.Fail ? SafetyVerdict.Failed : SafetyVerdict.Clean,
                    Line = line,
                },
            },
        };

    public static ComparisonResult GetResult(ComparisonPlan plan, IReadOnlyList<ComparedCell> cells, bool complete = true) =>
        ComparisonDocument.Of(plan, cells, new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero), TimeSpan.FromSeconds(50), complete, "1.2.3+abc");

    private static RunResult GetResult(double rate)
    {
        var run = ResultDocument.Of(Reports.Of("combined"), "1.2.3+abc");
        var stages = new Dictionary<string, StageFigures>(run.Stages) { ["event"] = run.Stages["event"] with { P99Ms = 40 } };
        return run with { Stages = stages, Throughput = run.Throughput with { EventsPerS = rate }, Bounds = run.Bounds with { Bound = RateBound.None } };
    }
}
