using EventHubThroughput.Pump.Writing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

public sealed class BlockedEventsTests
{
    private readonly List<string> lines = [];
    private readonly VirtualClock clock = new();
    private readonly BlockedEvents blocked;

    public BlockedEventsTests() => blocked = new BlockedEvents(lines.Add, clock);

    [Fact]
    public void An_event_that_both_of_its_sinks_refuse_is_one_blocked_event()
    {
        blocked.Hold("0", 5, "servicebus", 1, "refused");
        blocked.Hold("0", 5, "blob", 1, "refused");
        blocked.Hold("0", 6, "blob", 1, "refused");
        blocked.Hold("1", 5, "blob", 1, "refused");

        Assert.Equal((3, 3L), (blocked.Count, blocked.Ever));
        blocked.Release("0", 5, "blob");
        Assert.Equal(3, blocked.Count);
        blocked.Release("0", 5, "servicebus");
        Assert.Equal((2, 3L), (blocked.Count, blocked.Ever));
    }

    [Fact]
    public void The_line_names_one_event_and_counts_the_others()
    {
        blocked.Hold("0", 5, "blob", 1, "refused\nby the store");
        clock.Advance(TimeSpan.FromSeconds(60));
        blocked.Hold("0", 6, "blob", 1, "refused");
        clock.Advance(TimeSpan.FromSeconds(60));
        blocked.Hold("0", 5, "blob", 9, "refused");

        Assert.Equal(
            [
                "blocked for 0 s: event 5 of partition 0 at blob, 1 attempt: refused by the store",
                "blocked for 0 s: event 6 of partition 0 at blob, 1 attempt: refused, 1 more blocked",
                "blocked for 120 s: event 5 of partition 0 at blob, 9 attempts: refused, 1 more blocked",
            ],
            lines
        );
    }
}
