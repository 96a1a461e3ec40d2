using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Verification;
using static EventHubThroughput.Lab.Tests.Doubles.MadeUpComparison;

namespace EventHubThroughput.Lab.Tests.Doubles;

/// <summary>Comparisons that reports must support: whole, cut short, without intervals, with names that are not trusted.</summary>
internal static class ReportedComparisons
{
    /// <summary>A name that does harm wherever it is not encoded.</summary>
    public const string Hostile = "combined:<script>alert(\"1\")</script>|&'`*_,\n\u0007]]>";

    /// <summary>Everything there is to draw, over five blocks.</summary>
    public static async Task<ComparisonResult> WholeAsync()
    {
        var plan = await PlanAsync("--strategies=baseline,combined,pipelined,adaptive", "--repeats=5", "--profile=article");
        return GetResult(
            plan,
            [
                .. Blocks(plan, [30.25, 151, 2700, 2600], [30.5, 150, 2710, 2650], [30, 149, 2690, 2610], [30.3, 152, 2720, 2655], [30.1, 150.5, 2705, 2640])
                    .Select(Filled),
            ]
        );
    }

    /// <summary>Events sent at a rate that one strategy does not sustain.</summary>
    public static async Task<ComparisonResult> OpenLoopAsync()
    {
        var plan = await PlanAsync("--strategies=baseline,combined,pipelined", "--rate=120", "--repeats=5", "--measure=20s");
        return GetResult(
            plan,
            [
                .. Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([30, 119.5, 120], 5)])
                    .Select(Filled)
                    .Select(static cell =>
                        cell.Label switch
                        {
                            "baseline" => cell.Sent(4_000, 9_000, fallsBehind: true),
                            "combined" => cell.Sent(90.5, 140.25),
                            _ => cell.Sent(41.25, 62),
                        }
                    ),
            ]
        );
    }

    /// <summary>A sweep of two batches over eight degrees.</summary>
    public static async Task<ComparisonResult> SweptAsync()
    {
        var plan = await PlanAsync(ComparisonForm.Sweep, "--strategies=pipelined", "--degrees=1,2,4,8,16,32,64,128", "--batches=10,100");
        return GetResult(
            plan,
            Blocks(
                plan,
                [.. plan.Sweep.Select(static point => 54.0 * Math.Min(point.Degree, point.Series.EndsWith("100", StringComparison.Ordinal) ? 40 : 20))]
            )
        );
    }

    /// <summary>Configurations with many settings.</summary>
    public static async Task<ComparisonResult> LongNamesAsync()
    {
        var plan = await PlanAsync(
            "--strategies=baseline,pipelined:batch=10:degree=128,pipelined:degree=128:batch=100:window=4096:checkpoint-events=500,combined:degree=32:prefetch=300",
            "--repeats=5",
            "--profile=article"
        );
        return GetResult(plan, [.. Blocks(plan, [.. Enumerable.Repeat<IReadOnlyList<double>>([30, 2_900, 5_800, 150], 5)]).Select(Filled)]);
    }

    /// <summary>One block: no interval and no word.</summary>
    public static async Task<ComparisonResult> OneBlockAsync()
    {
        var plan = await PlanAsync("--strategies=baseline,combined");
        return GetResult(plan, Blocks(plan, [30, 150]));
    }

    /// <summary>Cut short: one cell that counts, one that failed, one kept apart, one without a result.</summary>
    public static async Task<ComparisonResult> CutShortAsync()
    {
        var plan = await PlanAsync("--strategies=baseline,combined,pipelined", "--repeats=5");
        return GetResult(
            plan,
            [
                Cell("baseline", 0, 0, 30),
                Cell("combined", 0, 1, 150).With(VerdictOutcome.Fail, "verdict: FAILED: 3 of 600 lost"),
                Cell("pipelined", 0, 2, 2700) with
                {
                    Apart = "its process ended with code 4",
                    Result = null,
                },
                Cell("baseline", 0, 3, 25) with
                {
                    Apart = "the latencies of the emulator were 35.6 % off the profile: this machine was too busy",
                    ProfileMissedBy = 0.356,
                },
            ],
            complete: false
        );
    }

    /// <summary>No cell at all.</summary>
    public static async Task<ComparisonResult> NothingAsync() => GetResult(await PlanAsync(), [], complete: false);

    /// <summary>Names, sentences and settings that are not plain text.</summary>
    public static async Task<ComparisonResult> HostileAsync()
    {
        var whole = await WholeAsync();
        return whole with
        {
            Comparison = whole.Comparison with { Id = Hostile, Arguments = ["compare", Hostile] },
            Settings = whole.Settings with { Strategies = ["baseline", Hostile], Profile = Hostile, BodySizes = Hostile, Faults = [Hostile] },
            Machine = whole.Machine with { Os = Hostile },
            Sentences = [$"{Hostile}. {Hostile}", Hostile],
            Strategies =
            [
                .. whole.Strategies.Select(static one =>
                    one.Label == "combined"
                        ? one with
                        {
                            Label = Hostile,
                            Name = Hostile,
                            Summary = Hostile,
                            Unsafe = Hostile,
                            Word = Hostile,
                            Order = Hostile,
                        }
                        : one
                ),
            ],
            Pairs = [.. whole.Pairs.Select(static pair => pair with { First = Hostile, Word = Hostile })],
            Cells = [.. whole.Cells.Select(static cell => cell.Label == "combined" ? cell with { Label = Hostile, Apart = Hostile, Mark = Hostile } : cell)],
        };
    }

    /// <summary>All of them by name.</summary>
    public static async Task<ComparisonResult> OfAsync(string name) =>
        name switch
        {
            nameof(WholeAsync) => await WholeAsync(),
            nameof(OpenLoopAsync) => await OpenLoopAsync(),
            nameof(SweptAsync) => await SweptAsync(),
            nameof(LongNamesAsync) => await LongNamesAsync(),
            nameof(OneBlockAsync) => await OneBlockAsync(),
            nameof(CutShortAsync) => await CutShortAsync(),
            nameof(NothingAsync) => await NothingAsync(),
            nameof(HostileAsync) => await HostileAsync(),
            _ => throw new ArgumentOutOfRangeException(nameof(name), name, "unknown"),
        };

    // With what only longer runs have: windows, a prediction, latencies, a degree that changes, events with their times.
    private static ComparedCell Filled(ComparedCell cell)
    {
        var run = cell.Result!;
        var rate = run.Throughput.EventsPerS!.Value;
        return cell with
        {
            ProfileMissedBy = 0.011,
            Result = run with
            {
                Time = run.Time with
                {
                    Windows =
                    [
                        .. Enumerable
                            .Range(0, 3)
                            .Select(second => new TimeWindow
                            {
                                StartS = second,
                                Events = (long)rate,
                                EventsPerS = rate + second,
                                EndToEndMs = 40 + second,
                                MeanInFlight = 9.25 + second,
                            }),
                    ],
                },
                Strategy = run.Strategy with
                {
                    DegreesInForce =
                        cell.Label == "adaptive"
                            ?
                            [
                                new DegreeInForce
                                {
                                    AtS = 0,
                                    Partition = "0",
                                    Degree = 8,
                                },
                                new DegreeInForce
                                {
                                    AtS = 1.5,
                                    Partition = "0",
                                    Degree = 32,
                                },
                            ]
                            : null,
                },
                Resources = run.Resources with
                {
                    Consumer = run.Resources.Consumer with
                    {
                        Threads = new ThreadFigures { Mean = 6.5, Max = 9 },
                        ThreadPoolQueueMax = 42,
                    },
                },
                Profile = run.Profile with
                {
                    Latencies =
                    [
                        new InjectedLatency
                        {
                            Operation = "messageSend",
                            AskedMeanMs = 18.52,
                            Count = 400,
                            MeanMs = 18.3,
                            SdMs = 9,
                            P50Ms = 16,
                            P99Ms = 50,
                        },
                    ],
                },
                Sample = cell.Label == "baseline" ? Samples.InTurn() : Samples.Concurrent(),
                Model =
                    cell.Label == "adaptive"
                        ? null
                        : new ModelComparison
                        {
                            Form = "1000 / (9 + 18)",
                            PredictedEventsPerS = rate * 1.05,
                            MeasuredToPredicted = 1 / 1.05,
                        },
            },
        };
    }
}
