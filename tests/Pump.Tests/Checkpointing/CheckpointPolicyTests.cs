using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Checkpointing;

public sealed class CheckpointPolicyTests
{
    private readonly VirtualClock clock = new();

    [Fact]
    public void Is_tied_to_batch_ends_when_neither_count_nor_time_is_given() => Assert.True(CheckpointOptions.From(null, null).EachBatch);

    [Theory]
    [InlineData(100, null)]
    [InlineData(null, 5)]
    [InlineData(100, 5)]
    public void Is_not_tied_to_batch_ends_when_either_is_given(int? events, int? seconds) =>
        Assert.False(new CheckpointOptions { Events = events, Interval = seconds is { } given ? TimeSpan.FromSeconds(given) : null }.EachBatch);

    [Fact]
    public void Puts_a_time_limit_beside_a_count_alone() =>
        Assert.Equal(new CheckpointOptions { Events = 100, Interval = TimeSpan.FromSeconds(5) }, CheckpointOptions.From(100, null));

    [Fact]
    public void Leaves_a_time_alone() =>
        Assert.Equal(new CheckpointOptions { Interval = TimeSpan.FromSeconds(2) }, CheckpointOptions.From(null, TimeSpan.FromSeconds(2)));

    [Fact]
    public void Asks_for_nothing_while_everything_is_confirmed() => Assert.Null(Policy(10, 5).DueIn(0, clock.GetTimestamp()));

    [Theory]
    [InlineData(9, 5)]
    [InlineData(10, 0)]
    [InlineData(11, 0)]
    public void Is_due_exactly_at_the_count(long unconfirmed, int seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), Policy(10, 5).DueIn(unconfirmed, clock.GetTimestamp()));

    [Fact]
    public void Is_due_exactly_when_the_oldest_is_old_enough()
    {
        var oldest = clock.GetTimestamp();
        clock.Advance(TimeSpan.FromSeconds(5) - TimeSpan.FromTicks(1));
        Assert.Equal(TimeSpan.FromTicks(1), Policy(10, 5).DueIn(1, oldest));

        clock.Advance(TimeSpan.FromTicks(1));
        Assert.Equal(TimeSpan.Zero, Policy(10, 5).DueIn(1, oldest));
    }

    [Fact]
    public void Stays_due_however_late_it_is_asked()
    {
        var oldest = clock.GetTimestamp();
        clock.Advance(TimeSpan.FromHours(1));
        Assert.Equal(TimeSpan.Zero, Policy(null, 5).DueIn(1, oldest));
    }

    [Fact]
    public void Never_makes_due_by_time_what_only_has_a_count() =>
        Assert.Null(new CheckpointPolicy(new CheckpointOptions { Events = 10 }, clock).DueIn(9, clock.GetTimestamp()));

    private CheckpointPolicy Policy(int? events, int? seconds) =>
        new(CheckpointOptions.From(events, seconds is { } given ? TimeSpan.FromSeconds(given) : null), clock);
}
