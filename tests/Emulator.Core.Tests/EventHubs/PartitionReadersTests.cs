using EventHubThroughput.Emulator.EventHubs;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.EventHubs;

public sealed class PartitionReadersTests
{
    private readonly PartitionReaders _roster = new();

    [Theory]
    [InlineData(5L, 6L, nameof(JoinVerdict.Accepted), true)]
    [InlineData(5L, 5L, nameof(JoinVerdict.Accepted), true)]
    [InlineData(5L, 4L, nameof(JoinVerdict.Stolen), false)]
    [InlineData(5L, null, nameof(JoinVerdict.Stolen), false)]
    [InlineData(null, 0L, nameof(JoinVerdict.Accepted), true)]
    [InlineData(null, null, nameof(JoinVerdict.Accepted), false)]
    public void A_second_reader_meets_the_first(long? first, long? second, string verdict, bool evicted)
    {
        var old = new Reader();
        Assert.Equal(JoinVerdict.Accepted, _roster.TryJoin(old, first));
        Assert.Equal(verdict, _roster.TryJoin(new Reader(), second).ToString());
        Assert.Equal(evicted, old.Evicted);
    }

    [Fact]
    public void The_sixth_reader_without_owner_level_is_one_too_many()
    {
        for (var i = 0; i < 5; i++)
        {
            Assert.Equal(JoinVerdict.Accepted, _roster.TryJoin(new Reader(), null));
        }

        Assert.Equal(JoinVerdict.TooMany, _roster.TryJoin(new Reader(), null));
    }

    [Fact]
    public void An_owner_level_evicts_all_readers_without_one()
    {
        var readers = Enumerable.Range(0, 5).Select(_ => new Reader()).ToArray();
        Assert.All(readers, reader => Assert.Equal(JoinVerdict.Accepted, _roster.TryJoin(reader, null)));
        Assert.Equal(JoinVerdict.Accepted, _roster.TryJoin(new Reader(), 0));
        Assert.All(readers, static reader => Assert.True(reader.Evicted));
    }

    [Fact]
    public void A_reader_that_left_does_not_block_others()
    {
        var old = new Reader();
        _roster.TryJoin(old, 9);
        _roster.Leave(old);
        Assert.Equal(JoinVerdict.Accepted, _roster.TryJoin(new Reader(), null));
    }

    [Fact]
    public void An_evicted_reader_that_leaves_late_does_not_take_its_successor_along()
    {
        var old = new Reader();
        _roster.TryJoin(old, 1);
        _roster.TryJoin(new Reader(), 2);
        _roster.Leave(old);
        Assert.Equal(JoinVerdict.Stolen, _roster.TryJoin(new Reader(), 1));
    }

    private sealed class Reader : IEvictable
    {
        public bool Evicted { get; private set; }

        public void Evict(long? byOwnerLevel) => Evicted = true;
    }
}
