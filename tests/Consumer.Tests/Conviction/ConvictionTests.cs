using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Checkpointing;
using EventHubThroughput.Consumer.Measurement;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Consumer.Sinks;
using EventHubThroughput.Metrics;
using EventHubThroughput.Strategies;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Conviction;

/// <summary>
/// Consumers that break the promise are convicted by name, in every run and with every strategy, from the journal of what really
/// happened; the real pump on the same services is not.
/// </summary>
public sealed class ConvictionTests
{
    private const int Events = 47;
    private const int Batch = 10;

    public static TheoryData<string, int> Runs
    {
        get
        {
            var runs = new TheoryData<string, int>();
            foreach (var strategy in StrategyCatalog.Names)
            {
                // The last event of a batch is no victim of a swap: its partner would be in the next one.
                foreach (var victim in new[] { 0, 3, 18, 27, 41 })
                {
                    runs.Add(strategy, victim);
                }
            }

            return runs;
        }
    }

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Runs))]
    public async Task Storing_the_position_first_is_convicted_as_checkpoint_ahead(string strategy, int victim) =>
        Assert.Equal(["checkpointAhead"], ChargesOf(await NaiveAsync(strategy, Mistake.ChecksFirst, victim)));

    [Theory]
    [MemberData(nameof(Runs))]
    public async Task Dropping_one_write_is_convicted_as_lost(string strategy, int victim)
    {
        var verdict = await NaiveAsync(strategy, Mistake.DropsOneWrite, victim);

        Assert.Equal(["lost", "checkpointAhead"], ChargesOf(verdict));
        Assert.Equal(1, verdict.Lost);
        Assert.Contains($"{victim}", verdict.Charges[0].Example, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Runs))]
    public async Task Swapping_two_bodies_is_convicted_as_corrupt(string strategy, int victim)
    {
        // In turn, so that the event after the victim is the one that its body goes to.
        var verdict = await NaiveAsync(strategy is "inloop" or "combined" ? "inloop" : "baseline", Mistake.SwapsTwoBodies, victim);

        Assert.Equal(["corrupt"], ChargesOf(verdict));
        Assert.Equal(2, verdict.Corrupt);
    }

    [Theory]
    [MemberData(nameof(Runs))]
    public async Task Writing_twice_is_convicted_as_a_duplicate(string strategy, int victim)
    {
        var verdict = await NaiveAsync(strategy, Mistake.WritesTwice, victim);

        Assert.Equal(["duplicateServiceBus"], ChargesOf(verdict));
        Assert.Equal(1, verdict.DuplicateServiceBus);
    }

    [Theory]
    [MemberData(nameof(Runs))]
    public async Task The_naive_pump_without_a_mistake_is_clean_so_that_the_mistakes_are_what_is_convicted(string strategy, int victim) =>
        Assert.Equal(VerdictOutcome.Pass, (await NaiveAsync(strategy, Mistake.None, victim)).Outcome);

    [Theory]
    [InlineData("baseline")]
    [InlineData("inloop")]
    [InlineData("outloop")]
    [InlineData("combined")]
    public async Task The_real_pump_is_clean(string strategy)
    {
        using var services = new RecordedServices(Events);
        using var registry = new MetricRegistry("test");
        using var measurement = new RunMeasurement(TimeProvider.System, emulator: null);
        using var stop = new RunStop(TimeSpan.FromSeconds(10), TimeProvider.System);
        var faults = new RunFaults();
        var labels = new RunLabels { Run = "run", Strategy = strategy, Degree = 16, Batch = Batch, Version = "1" };
        var pump = new PumpFactory
        {
            Strategy = StrategyCatalog.Find(strategy),
            Degree = 16,
            Sinks = [new ServiceBusSink(services, "hub"), new BlobSink(services.Archive, "hub")],
            Checkpoints = new CheckpointOptions(),
            Retry = new RetryRule { Jitter = () => 1 },
            Measurement = measurement,
            Metrics = new ConsumerMetrics(registry, labels, 1, measurement, TimeProvider.System),
            Faults = faults,
            Stop = stop,
            TimeProvider = TimeProvider.System,
            Confirmed = (_, _) => { },
        }.Open(services);
        foreach (var batch in services.Batches(Batch))
        {
            await pump.ProcessAsync(batch, Cancellation);
        }

        await pump.CloseAsync(PartitionStopReason.Shutdown, Cancellation);

        var verdict = services.Judge();
        Assert.Equal("verdict: clean (47 of 47 in the queue and in the container, 0 duplicates, 5 checkpoints never ahead)", verdict.Summary);
        Assert.Empty(faults.All);
        Assert.Equal(Events, measurement.Completed);
    }

    private static async Task<Verdict> NaiveAsync(string strategy, Mistake mistake, long victim)
    {
        using var services = new RecordedServices(Events);
        var instance = StrategyCatalog.Find(strategy).Create(new StrategyContext());
        await new NaivePump(services, instance, mistake, victim).RunAsync(Batch, Cancellation);
        return services.Judge();
    }

    private static IEnumerable<string> ChargesOf(Verdict verdict) => verdict.Charges.Select(charge => charge.Field);
}
