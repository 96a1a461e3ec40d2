using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Processing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Supervision;

/// <summary>A backlog is large enough for the events of its consumers, at any batch size and checkpoint rule.</summary>
public sealed class BacklogLoadTests
{
    [Theory]
    [InlineData("K2:40", null, 10, null, 200)]
    [InlineData("K1:6", null, 10, null, 200 + (7 * 10))]
    [InlineData("K1:6", null, 1000, null, 200 + (7 * 1000))]
    [InlineData("K10:6", null, 1000, 50, 200 + (7 * 1000))]
    [InlineData("K8:6", null, 10, null, 200 + (7 * 10))]
    [InlineData("K9:6", null, 10, 50, 200 + (7 * 50))]
    [InlineData("K9:6", null, 10, 10_000_000, 200 + (7 * 1000))]
    [InlineData("K11", 1, 500, null, 200 + (2 * 500))]
    [InlineData(null, 4, 10, 300, 200 + (5 * 300))]
    public void A_cycle_gets_what_its_consumer_uses_up(string? point, int? drainAfter, int batch, int? checkpointEvents, int expected)
    {
        KillOrder order = default;
        Assert.True(point is null || KillOrder.Problem("--kill-at", point, out order) is null);
        var load = GetLoad(batch, CheckpointOptions.From(checkpointEvents, null));

        Assert.Equal(200 + expected, load.GetEvents([new KillCycle(order, drainAfter, SameOwner: true)]));
    }

    [Fact]
    public void A_checkpoint_without_batch_ends_takes_as_many_events_as_it_takes_unless_chosen()
    {
        Assert.Null(KillOrder.Problem("--kill-at", "K9:6", out var order));
        var load = new BacklogLoad(Reports.Of("pipelined").Options);

        Assert.Equal(200 + 200 + (7 * 1000), load.GetEvents([new KillCycle(order, DrainAfter: null, SameOwner: true)]));
    }

    [Fact]
    public void Cycles_that_use_up_much_share_with_fewer_others()
    {
        KillCycle[] many = [.. Enumerable.Repeat(new KillCycle(new KillOrder(KillPoint.BeforeFirstWrite, 3), null, SameOwner: true), 40)];

        Assert.Equal(25, GetLoad(10, new CheckpointOptions()).Share(many).Count);
        Assert.Equal(2, GetLoad(1000, new CheckpointOptions()).Share(many).Count);
        Assert.Single(GetLoad(10_000, new CheckpointOptions()).Share(many));
        Assert.Empty(GetLoad(10, new CheckpointOptions()).Share([]));
    }

    private static BacklogLoad GetLoad(int batch, CheckpointOptions checkpoints) =>
        new(Reports.Of("outloop").Options.With(processing => processing with { BatchSize = batch, Checkpoints = checkpoints }));
}
