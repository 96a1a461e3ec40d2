using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Invariants;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Writing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Invariants;

public sealed class LivenessWatchTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(200);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly ProcessingFaults faults = new();
    private PartitionProgress progress = new(new object(), "0", 10, 5, HasWork: true, () => "watermark at 41, 3 in flight");

    [Fact]
    public void A_run_without_progress_for_the_limit_is_ended_and_the_position_is_reported() =>
        Watch(
            async (clock, _) =>
            {
                await clock.DelayAsync(Limit - Second, CancellationToken.None);
                Assert.Empty(faults.All);

                await clock.DelayAsync(3 * Second, CancellationToken.None);

                var fault = Assert.Single(faults.All);
                Assert.Equal(ProcessingFaultKind.InvariantBreached, fault.Kind);
                Assert.StartsWith("partition 0 without progress for 200 s: watermark at 41, 3 in flight, ", fault.Message, StringComparison.Ordinal);
                Assert.EndsWith(" work items queued", fault.Message, StringComparison.Ordinal);
            }
        );

    [Theory]
    [InlineData("an event completes")]
    [InlineData("a checkpoint is confirmed")]
    [InlineData("another ownership begins")]
    [InlineData("nothing is left to do")]
    [InlineData("an event is held")]
    public void The_count_begins_again_when(string change) =>
        Watch(
            async (clock, blocked) =>
            {
                await clock.DelayAsync(Limit / 2, CancellationToken.None);
                switch (change)
                {
                    case "an event completes":
                        progress = progress with { Complete = 11 };
                        break;
                    case "a checkpoint is confirmed":
                        progress = progress with { Confirmed = 6 };
                        break;
                    case "another ownership begins":
                        progress = progress with { Owner = new object() };
                        break;
                    case "nothing is left to do":
                        progress = progress with { HasWork = false };
                        break;
                    default:
                        blocked.Hold("0", 42, "blob", 6, "too large");
                        break;
                }

                await clock.DelayAsync(2 * Second, CancellationToken.None);
                progress = progress with { HasWork = true };
                blocked.Release("0", 42, "blob");
                await clock.DelayAsync(Limit - (4 * Second), CancellationToken.None);

                Assert.Empty(faults.All);
            }
        );

    [Fact]
    public void Does_not_count_the_time_for_which_the_process_itself_was_stopped() =>
        Watch(
            async (clock, _) =>
            {
                await clock.DelayAsync(2 * Second, CancellationToken.None);

                // All ticks that were missed are one.
                clock.Advance(TimeSpan.FromHours(1));
                await clock.DelayAsync(2 * Second, CancellationToken.None);

                Assert.Empty(faults.All);
            }
        );

    private void Watch(Func<VirtualClock, BlockedEvents, Task> meanwhile) =>
        VirtualTimeRunner.Run(async clock =>
        {
            using var ended = new CancellationTokenSource();
            var blocked = new BlockedEvents(_ => { }, clock);
            var watching = new LivenessWatch(() => [progress], blocked, faults, Limit, clock).RunAsync(ended.Token);
            await meanwhile(clock, blocked);
            await ended.CancelOnSchedulerAsync();
            await watching;
        });
}
