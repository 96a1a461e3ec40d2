using EventHubThroughput.Clients;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Invariants;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Invariants;

public sealed class DeliveryWatchTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly ProcessingFaults faults = new();
    private readonly List<string> asked = [];
    private PartitionDelivery delivery = new("0", 41, IsIdle: true);
    private long hub = 99;
    private MessagingException? refusal;

    [Fact]
    public void Ends_a_run_whose_hub_has_events_that_are_not_delivered_for_the_limit() =>
        Watch(async clock =>
        {
            await clock.DelayAsync(Limit - Second, CancellationToken.None);
            Assert.Empty(faults.All);

            await clock.DelayAsync(3 * Second, CancellationToken.None);

            Assert.Equal(
                new ProcessingFault(
                    ProcessingFaultKind.Dependency,
                    "partition 0: no event was delivered for 60 s after sequence number 41, although the hub has events up to 99: the clients may be unable to decode the next one"
                ),
                Assert.Single(faults.All)
            );
        });

    [Fact]
    public void Ends_a_run_whose_first_event_is_not_delivered()
    {
        delivery = delivery with { Newest = -1 };

        Watch(async clock =>
        {
            await clock.DelayAsync(Limit + (2 * Second), CancellationToken.None);

            Assert.Contains("delivered for 60 s from its beginning, although", Assert.Single(faults.All).Message, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void Ends_a_run_when_an_event_comes_to_a_partition_that_was_quiet_and_is_not_delivered()
    {
        hub = 41;

        Watch(async clock =>
        {
            await clock.DelayAsync(10 * Limit, CancellationToken.None);
            Assert.Empty(faults.All);
            hub = 42;

            await clock.DelayAsync((1.5 * Limit) + (2 * Second), CancellationToken.None);

            Assert.Contains("events up to 42", Assert.Single(faults.All).Message, StringComparison.Ordinal);
        });
    }

    [Theory]
    [InlineData("an event is delivered")]
    [InlineData("the partition has work")]
    public void The_count_begins_again_when(string change) =>
        Watch(async clock =>
        {
            await clock.DelayAsync(Limit - (2 * Second), CancellationToken.None);
            delivery = change == "an event is delivered" ? delivery with { Newest = 42 } : delivery with { IsIdle = false };
            await clock.DelayAsync(2 * Second, CancellationToken.None);
            delivery = delivery with { IsIdle = true };

            await clock.DelayAsync(Limit - (4 * Second), CancellationToken.None);

            Assert.Empty(faults.All);
        });

    [Fact]
    public void Asks_the_hub_once_in_half_the_limit_while_it_has_no_more()
    {
        hub = 41;

        Watch(async clock =>
        {
            await clock.DelayAsync((10 * Limit) + (10 * Second), CancellationToken.None);

            Assert.InRange(asked.Count, 19, 20);
            Assert.Empty(faults.All);
        });
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Events_that_have_expired_are_not_waited_for(bool isEmpty)
    {
        hub = isEmpty ? -1 : 41;

        Watch(async clock =>
        {
            await clock.DelayAsync(3 * Limit, CancellationToken.None);

            Assert.Empty(faults.All);
        });
    }

    [Fact]
    public void Where_the_first_event_due_is_not_known_what_the_hub_had_counts_as_delivered()
    {
        delivery = delivery with { Newest = null };

        Watch(async clock =>
        {
            await clock.DelayAsync(3 * Limit, CancellationToken.None);
            Assert.Empty(faults.All);
            hub = 100;

            await clock.DelayAsync((1.5 * Limit) + (2 * Second), CancellationToken.None);

            Assert.Contains("after sequence number 99, although the hub has events up to 100", Assert.Single(faults.All).Message, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void A_hub_that_does_not_answer_is_asked_again()
    {
        refusal = new MessagingException(FailureKind.Transient, "no answer in time");

        Watch(async clock =>
        {
            await clock.DelayAsync(2 * Limit, CancellationToken.None);
            Assert.Empty(faults.All);
            refusal = null;

            await clock.DelayAsync(3 * Second, CancellationToken.None);

            Assert.Single(faults.All);
        });
    }

    private void Watch(Func<VirtualClock, Task> meanwhile) =>
        VirtualTimeRunner.Run(async clock =>
        {
            using var ended = new CancellationTokenSource();
            var watching = new DeliveryWatch(() => [delivery], AskAsync, faults, Limit, clock).RunAsync(ended.Token);
            await meanwhile(clock);
            await ended.CancelOnSchedulerAsync();
            await watching;
        });

    private Task<long> AskAsync(string partition, CancellationToken cancellationToken)
    {
        asked.Add(partition);
        return refusal is null ? Task.FromResult(hub) : Task.FromException<long>(refusal);
    }
}
