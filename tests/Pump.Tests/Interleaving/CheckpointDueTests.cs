using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Interleaving;

/// <summary>By count, by time and by both: a checkpoint is stored exactly when it is due, in a burst and at one event an hour.</summary>
public sealed class CheckpointDueTests
{
    [Fact]
    public void Checkpoints_are_stored_exactly_when_a_naive_model_stores_them() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Arb.From(Traffics),
                traffic =>
                {
                    var stored = new List<(long Sequence, TimeSpan At)>();
                    VirtualTimeRunner.Run(clock => PlayAsync(traffic, clock, stored));
                    return stored.SequenceEqual(Expected(traffic));
                }
            )
        );

    private static Gen<Traffic> Traffics =>
        from events in Gen.Choose(1, 10)
        from interval in Gen.Elements(20, 1_000, 5_000)
        from gaps in Gen.Elements(0, 1, 7, 19, 300, 4_000, 3_600_000).ListOf()
        select new Traffic(CheckpointOptions.From(events, TimeSpan.FromMilliseconds(interval)), [.. gaps]);

    private static async Task PlayAsync(Traffic traffic, VirtualClock clock, List<(long, TimeSpan)> stored)
    {
        var signals = new WatermarkSignals();
        var watermark = new EventTracker(1, TimeProvider.System, signals);
        var writer = new CheckpointWriter(watermark, StoreAsync, new RetryRule { Jitter = () => 1 }, clock);
        var schedule = new CheckpointSchedule(
            watermark,
            writer,
            traffic.Options,
            signals,
            lastOfBacklog: null,
            clock,
            failure => Assert.Fail(failure.Message),
            CancellationToken.None
        );
        for (var i = 0; i < traffic.Gaps.Length; i++)
        {
            await clock.DelayAsync(traffic.At(i) - clock.Elapsed, CancellationToken.None);
            Assert.True(watermark.TryHandOver([Some.Event(i)], out _));
            watermark.Acknowledge(i, 0);
        }

        await clock.DelayAsync(TimeSpan.FromHours(1), CancellationToken.None);
        await schedule.DisposeAsync();

        Task StoreAsync(EventPosition position, CancellationToken cancellationToken)
        {
            stored.Add((position.SequenceNumber, clock.Elapsed));
            return Task.CompletedTask;
        }
    }

    private static IEnumerable<(long, TimeSpan)> Expected(Traffic traffic)
    {
        var pending = 0;
        var due = TimeSpan.MaxValue;
        for (var i = 0; i < traffic.Gaps.Length; i++)
        {
            if (due < traffic.At(i))
            {
                yield return (i - 1, due);
                (pending, due) = (0, TimeSpan.MaxValue);
            }

            due = pending++ == 0 ? traffic.At(i) + traffic.Options.Interval!.Value : due;
            if (pending == traffic.Options.Events)
            {
                yield return (i, traffic.At(i));
                (pending, due) = (0, TimeSpan.MaxValue);
            }
        }

        if (pending > 0)
        {
            yield return (traffic.Gaps.Length - 1, due);
        }
    }

    internal sealed record Traffic(CheckpointOptions Options, int[] Gaps)
    {
        /// <summary>When an event completes. No two times are a whole interval apart, so that nothing is due at the moment of another event.</summary>
        public TimeSpan At(int index) => TimeSpan.FromMilliseconds(Gaps.Take(index + 1).Sum(gap => (long)gap)) + TimeSpan.FromTicks(index + 1);
    }
}
