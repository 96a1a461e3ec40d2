using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Checkpointing;

public sealed class CheckpointOptionsTests
{
    [Fact]
    public void Is_tied_to_batch_ends_when_neither_count_nor_time_is_given() => Assert.True(CheckpointOptions.From(null, null).EachBatch);

    [Theory]
    [InlineData(100, null)]
    [InlineData(null, 5)]
    [InlineData(100, 5)]
    public void Is_not_tied_to_batch_ends_when_either_is_given(int? events, int? seconds) =>
        Assert.False(new CheckpointOptions { Events = events, Interval = seconds is { } given ? TimeSpan.FromSeconds(given) : null }.EachBatch);

    [Fact]
    public void Without_batch_ends_to_store_at_the_usual_count_is_used()
    {
        var eachBatch = CheckpointOptions.From(null, null);

        Assert.Equal(CheckpointOptions.From(CheckpointOptions.UsualEvents, null), eachBatch.For(barrier: false));
        Assert.Equal(eachBatch, eachBatch.For(barrier: true));
        Assert.Equal(Options(10, 5), Options(10, 5).For(barrier: false));
    }

    [Fact]
    public void Puts_a_time_limit_beside_a_count_alone() =>
        Assert.Equal(new CheckpointOptions { Events = 100, Interval = TimeSpan.FromSeconds(5) }, CheckpointOptions.From(100, null));

    [Fact]
    public void Leaves_a_time_alone() =>
        Assert.Equal(new CheckpointOptions { Interval = TimeSpan.FromSeconds(2) }, CheckpointOptions.From(null, TimeSpan.FromSeconds(2)));

    [Fact]
    public void Asks_for_nothing_while_everything_is_confirmed() => Assert.Null(Options(10, 5).DueIn(0, TimeSpan.Zero));

    [Theory]
    [InlineData(9, 5)]
    [InlineData(10, 0)]
    [InlineData(11, 0)]
    public void Is_due_exactly_at_the_count(long unconfirmed, int seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), Options(10, 5).DueIn(unconfirmed, TimeSpan.Zero));

    [Fact]
    public void Is_due_exactly_when_the_oldest_is_old_enough()
    {
        Assert.Equal(TimeSpan.FromTicks(1), Options(10, 5).DueIn(1, TimeSpan.FromSeconds(5) - TimeSpan.FromTicks(1)));
        Assert.Equal(TimeSpan.Zero, Options(10, 5).DueIn(1, TimeSpan.FromSeconds(5)));
    }

    [Fact]
    public void Stays_due_however_late_it_is_asked() => Assert.Equal(TimeSpan.Zero, Options(null, 5).DueIn(1, TimeSpan.FromHours(1)));

    [Fact]
    public void Never_makes_due_by_time_what_only_has_a_count() => Assert.Null(new CheckpointOptions { Events = 10 }.DueIn(9, TimeSpan.FromHours(1)));

    private static CheckpointOptions Options(int? events, int? seconds) =>
        CheckpointOptions.From(events, seconds is { } given ? TimeSpan.FromSeconds(given) : null);
}
