using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Processing;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Measurement;

/// <summary>What is read and counted of a run beside its events.</summary>
public sealed class RunReadingsTests
{
    [Fact]
    public void Older_readings_give_way_to_newer_ones()
    {
        var readings = new RecentReadings<int>(new VirtualClock(), most: 3);
        foreach (var value in Enumerable.Range(1, 5))
        {
            readings.Add(value);
        }

        Assert.Equal([3, 4, 5], readings.Between(0, long.MaxValue));
    }

    [Fact]
    public void The_memory_is_the_mean_of_the_section_alone()
    {
        var clock = new VirtualClock();
        var readings = new MemoryReadings(clock, emulator: null);
        foreach (var (consumer, emulator) in new[] { (90L, 900L), (4, 40), (6, 50), (70, 700) })
        {
            readings.Add(consumer, emulator);
            clock.Advance(TimeSpan.FromSeconds(1));
        }

        var (now, second) = (clock.GetTimestamp(), clock.TimestampFrequency);
        Assert.Equal(new MemoryFigures(5, 45), readings.Between(now - (3 * second), now - (2 * second)));
        Assert.Equal(new MemoryFigures(null, null), readings.Between(now, now + second));
    }

    [Fact]
    public void Without_an_emulator_only_this_process_has_memory()
    {
        var readings = new MemoryReadings(new VirtualClock(), emulator: null);
        readings.Read();

        var read = readings.Between(0, long.MaxValue);
        Assert.True(read.Consumer > 0);
        Assert.Null(read.Emulator);
    }

    [Fact]
    public void The_longest_pause_of_the_collector_is_kept_until_it_is_taken()
    {
        using var pauses = new CollectorPauses();
        pauses.TakeLongest();
        GC.Collect();
        GC.WaitForPendingFinalizers();

        Assert.True(pauses.TakeLongest() > TimeSpan.Zero);
    }

    [Fact]
    public void Watching_ends_with_the_run()
    {
        var pauses = new CollectorPauses();
        pauses.Dispose();

        // The present beat may report again. It leaves none over.
        CollectOnce();
        pauses.TakeLongest();
        CollectOnce();

        Assert.Null(pauses.TakeLongest());
    }

    [Fact]
    public void A_failure_of_a_sink_is_counted_by_its_consequence_and_its_reason()
    {
        var sink = new SinkErrorCounter();
        sink.TryFailed(Failure(FailureKind.Throttled), AfterFailure.TriedAgain);
        sink.TryFailed(Failure(FailureKind.Unconnected), AfterFailure.TriedAgain);
        sink.TryFailed(Failure(FailureKind.Transient), AfterFailure.TriedAgain);
        sink.TryFailed(Failure(FailureKind.Throttled), AfterFailure.GivenUp);
        sink.TryFailed(Failure(FailureKind.NotFound), AfterFailure.Fatal);
        sink.TryFailed(Failure(FailureKind.Transient, new TimeoutException()), AfterFailure.TriedAgain);
        sink.WriteCut();

        Assert.Equal(new SinkErrorCounts(Retries: 4, Throttles: 1, Timeouts: 1, Unconnected: 1, Failed: 2, Cut: 1), sink.Counts);

        static MessagingException Failure(FailureKind kind, Exception? inner = null) => new(kind, "refused", inner);
    }

    [Fact]
    public void Events_in_flight_over_time_amount_to_those_of_the_section() =>
        Prop.ForAll(
                Gen.Choose(0, 40).Select(static events => events).Zip(Gen.Choose(0, 350)).ArrayOf(20).ToArbitrary(),
                static stretches =>
                {
                    // Raw timestamps of a millisecond: a hundred of them in a tenth of a second.
                    var overTime = new InFlightOverTime(timestampFrequency: 1000);
                    var (at, sum) = (0L, 0L);
                    foreach (var (events, length) in stretches)
                    {
                        overTime.Add(events, at, at + length);
                        at += length;
                        sum += (long)events * length;
                    }

                    var tenths = (int)(at / 100) + 1;
                    return Math.Abs((overTime.GetMean(0, tenths) * tenths * 100) - sum) < 1e-6;
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void Each_tenth_of_a_second_has_what_was_in_flight_in_it()
    {
        var overTime = new InFlightOverTime(timestampFrequency: 1000);
        overTime.Add(10, 50, 250);

        Assert.Equal([5, 10, 5, 0], Enumerable.Range(0, 4).Select(tenth => overTime.GetMean(tenth, 1)));
    }

    private static void CollectOnce()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }
}
