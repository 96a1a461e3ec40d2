using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Checkpointing;

public sealed class WatermarkSignalsTests
{
    private readonly WatermarkSignals signals = new();

    [Fact]
    public async Task Wakes_the_gate_when_the_watermark_has_passed_the_wanted_number_and_not_before()
    {
        signals.RestUntilRoom(3);

        Pass(2, 1);
        var room = signals.Room.WaitAsync(TestContext.Current.CancellationToken).AsTask();
        Assert.False(room.IsCompleted);
        Pass(1, 2);

        Assert.True(await room);
    }

    [Theory]
    [InlineData(3, long.MaxValue)]
    [InlineData(long.MaxValue, 12)]
    public async Task Wakes_the_schedule_at_the_wanted_number_or_position_and_not_before(long events, long position)
    {
        Assert.True(signals.RestUntil(events, position));

        Pass(2, 11);
        var checkpoint = signals.Checkpoint.WaitAsync(TestContext.Current.CancellationToken).AsTask();
        Assert.False(checkpoint.IsCompleted);
        Pass(1, 12);

        Assert.True(await checkpoint);
    }

    [Theory]
    [InlineData(3, long.MaxValue, false)]
    [InlineData(4, long.MaxValue, true)]
    [InlineData(long.MaxValue, 12, false)]
    [InlineData(long.MaxValue, 13, true)]
    public void Does_not_rest_when_the_wanted_number_or_position_is_reached(long events, long position, bool rests)
    {
        Pass(3, 12);

        Assert.Equal(rests, signals.RestUntil(events, position));
    }

    [Fact]
    public void Rests_until_the_first_event_is_complete() => Assert.True(signals.RestUntil(long.MaxValue, 0));

    private void Pass(int events, long watermark) =>
        signals.Completed(new EventCompletion(Some.Event(watermark), TimeSpan.Zero, events, DeadLettered: false) { Watermark = watermark });
}
