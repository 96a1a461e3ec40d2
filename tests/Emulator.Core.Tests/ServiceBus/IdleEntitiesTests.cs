using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.ServiceBus;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

public sealed class IdleEntitiesTests : IDisposable
{
    private readonly RestartableRegistry _place = new();

    public void Dispose() => _place.Dispose();

    [Theory]
    [InlineData("P10675199DT2H48M5.4775807S")]
    [InlineData("P10675199D")]
    [InlineData("PT5M")]
    public void A_use_later_than_the_check_counts_as_use(string limit)
    {
        var queue = Create(limit);
        queue.LastUse.Note(_place.Clock.GetUtcNow().AddSeconds(1));
        _place.Registry.LookForIdle();
        Assert.NotNull(_place.Registry.FindPresentQueue("queue"));
    }

    [Fact]
    public void A_use_later_than_the_check_delays_the_deletion_by_its_lead()
    {
        var queue = Create("PT5M");
        queue.LastUse.Note(_place.Clock.GetUtcNow().AddSeconds(1));
        _place.Registry.LookForIdle();
        _place.Clock.Advance(TimeSpan.FromMinutes(5));
        Assert.NotNull(_place.Registry.FindPresentQueue("queue"));
        _place.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(_place.Registry.FindPresentQueue("queue"));
    }

    private MessageQueue Create(string limit)
    {
        var notes = new EntityMetadata { Kept = new Dictionary<string, string> { [EntityMetadata.IdleName] = limit } };
        _place.Registry.CreateQueue(new QueueSettings("queue") { Notes = notes });
        return _place.Registry.FindPresentQueue("queue")!;
    }
}
