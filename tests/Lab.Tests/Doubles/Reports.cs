using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Tests.Doubles;

/// <summary>A finished run of 600 events whose parts do not matter unless a test changes them.</summary>
internal static class Reports
{
    private const long Second = TimeSpan.TicksPerSecond;

    /// <summary>A strategy without a barrier, which begins a batch before the one before it is complete.</summary>
    public static StrategyDescriptor ContinuesAcrossBatches { get; } =
        new("goeson", "Events at once, over batches.", OrderingGuarantee.None, context => new ContinuesAcrossBatches(context), IsBarrier: false);

    /// <summary>A run that had ended before its warm-up.</summary>
    public static RunFigures Unmeasured { get; } =
        new()
        {
            Section = new MeasuredSection(startedAt: 0, TwoSinks.Stages, TimeSpan.TicksPerSecond),
            Completed = 10,
            Measured = TimeSpan.Zero,
        };

    public static RunReport Of(StrategyDescriptor strategy, CheckpointOptions? checkpoints = null)
    {
        var report = Of("combined") with { Prediction = null };
        return report with
        {
            Options = report.Options.With(processing => processing with { Strategy = strategy, Checkpoints = checkpoints ?? new CheckpointOptions() }),
        };
    }

    public static RunReport Of(string strategy, int batch = 10, int degree = 16, int reached = 10) =>
        new()
        {
            Options = GetOptions(strategy, batch, degree),
            StartedUtc = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
            Figures = Figures(batch, reached),
            End = ProcessingEnd.Drained,
            Faults = [],
            VerdictReport = new VerdictReport(
                new Verdict
                {
                    Outcome = VerdictOutcome.Pass,
                    Acknowledged = 600,
                    Complete = 600,
                    Checkpoints = 60,
                    Charges = [],
                    NotJudged = [],
                },
                "verdict: clean (600 of 600 in the queue and in the container, 0 duplicates, 60 checkpoints never ahead)",
                0
            ),
            Partitions = 1,
            Backlog = 600,
            Prediction = ArticleForm.Predict(strategy, batch, degree, 0),
        };

    /// <param name="batch">The size of each batch. 0 where none was received in the section.</param>
    /// <param name="reached">The most events in flight.</param>
    public static RunFigures Figures(int batch, int reached = 10)
    {
        var section = new MeasuredSection(startedAt: 0, TwoSinks.Stages, TimeSpan.TicksPerSecond);
        section.EventBegun(reached);
        for (var i = 0; i < 500; i++)
        {
            section.EventCompleted(i * TimeSpan.TicksPerMillisecond, TimeSpan.FromMilliseconds(60));
            foreach (var stage in new[] { TwoSinks.ServiceBus, TwoSinks.Blob, Stage.Event })
            {
                section[stage].Record(TimeSpan.FromMilliseconds(10));
            }

            if (batch > 0 && i % batch == 0)
            {
                section.BatchReceived(batch);
                section[Stage.Checkpoint].Record(TimeSpan.FromMilliseconds(25));
                section[Stage.Receive].Record(TimeSpan.FromMilliseconds(8));
            }
        }

        return new RunFigures
        {
            Section = section,
            Completed = 600,
            Measured = TimeSpan.FromTicks(5 * Second),
            Whole = TimeSpan.FromTicks(6 * Second),
            ConsumerCpu = TimeSpan.FromMilliseconds(100),
            EmulatorCpu = TimeSpan.FromMilliseconds(150),
            Runtime = new RuntimeUsage(500 * 2048, 3, 2, 1, TimeSpan.FromMilliseconds(4), 7),
        };
    }

    private static RunOptions GetOptions(string strategy, int batch, int degree) =>
        new()
        {
            Run = "run",
            Processing = new ProcessingOptions
            {
                Strategy = StrategyCatalog.Find(strategy),
                MaxConcurrency = degree,
                BatchSize = batch,
                Prefetch = 0,
                Identifier = "consumer",
                BalancingInterval = TimeSpan.FromSeconds(1),
                OwnershipExpiry = TimeSpan.FromSeconds(5),
                DrainLimit = TimeSpan.FromSeconds(10),
                OnPoison = PoisonPolicy.Block,
            },
            Clients = ClientFamily.BuiltIn with { Name = ClientFamily.Official, Packages = ["Some.Package 1.2.3"] },
            Load = new LoadOptions(600, 1, "article", BodySizes.Of([(1024, 1)]), 0, null),
        };
}
