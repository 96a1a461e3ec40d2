using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Clients.Tests.EventHubs;

public sealed class BalancerTests
{
    private static readonly DateTimeOffset Now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly TimeSpan Expiry = TimeSpan.FromSeconds(30);
    private static readonly HashSet<string> Nothing = [];

    [Fact]
    public void A_partition_that_never_had_an_owner_is_claimed_without_a_version()
    {
        var decision = Decide(["0"], []);
        Assert.Equal(new BalanceClaim("0", null), decision.Claim);
        Assert.False(decision.IsSteal);
        Assert.False(decision.IsBalanced);
    }

    [Fact]
    public void Claims_an_expired_ownership_with_its_version()
    {
        var decision = Decide(["0"], [Owned("0", "gone", age: 30)]);
        Assert.Equal(new BalanceClaim("0", "tag-0"), decision.Claim);
        Assert.False(decision.IsSteal);
    }

    [Fact]
    public void Claims_an_ownership_that_was_given_up()
    {
        var decision = Decide(["0"], [Owned("0", "", age: 1)]);
        Assert.Equal(new BalanceClaim("0", "tag-0"), decision.Claim);
    }

    [Fact]
    public void Leaves_an_active_owner_its_share()
    {
        var decision = Decide(["0"], [Owned("0", "other", age: 29)]);
        Assert.Null(decision.Claim);
        Assert.True(decision.IsBalanced);
    }

    [Fact]
    public void Leaves_a_free_partition_to_an_owner_below_its_share_for_an_interval_only()
    {
        // The owner of one may be leaving, or dead.
        string[] partitions = ["0", "1", "2", "3"];
        Ownership[] listed = [Owned("0", "self"), Owned("1", "self"), Owned("2", "other"), Owned("3", "")];

        var first = Decide(partitions, listed, "0", "1");
        Assert.Null(first.Claim);
        Assert.Equal(["3"], first.Unclaimed);

        var second = new Balancer("self", Expiry, new Random(1)).Decide(
            partitions,
            listed,
            new HashSet<string>(StringComparer.Ordinal) { "0", "1" },
            new HashSet<string>(StringComparer.Ordinal) { "3" },
            Now
        );
        Assert.Equal(new BalanceClaim("3", "tag-3"), second.Claim);
        Assert.False(second.IsSteal);
    }

    [Fact]
    public void Steals_from_the_owner_of_all()
    {
        var decision = Decide(["0", "1", "2", "3"], [Owned("0", "a"), Owned("1", "a"), Owned("2", "a"), Owned("3", "a")]);
        Assert.True(decision.IsSteal);
        Assert.NotNull(decision.Claim);
    }

    [Fact]
    public void Steals_from_an_owner_with_one_more_only_when_below_the_minimum()
    {
        Ownership[] listed = [Owned("0", "a"), Owned("1", "a"), Owned("2", "a"), Owned("3", "b"), Owned("4", "b")];
        Assert.True(Decide(["0", "1", "2", "3", "4"], listed).IsSteal);
        Ownership[] balanced = [Owned("0", "a"), Owned("1", "a"), Owned("2", "a"), Owned("3", "self"), Owned("4", "self")];
        var decision = Decide(["0", "1", "2", "3", "4"], balanced, "3", "4");
        Assert.Null(decision.Claim);
        Assert.True(decision.IsBalanced);
    }

    [Fact]
    public void An_active_claim_under_its_own_name_that_is_not_read_is_adopted()
    {
        var decision = Decide(["0", "1"], [Owned("0", "self"), Owned("1", "other")]);
        Assert.Equal([new BalanceClaim("0", "tag-0")], decision.Adopt);
        Assert.Null(decision.Claim);
        Assert.False(decision.IsBalanced);
    }

    [Fact]
    public void Any_number_of_processors_ends_with_even_shares_and_then_rests() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Gen.Choose(1, 40).Select(count => count).ToArbitrary(),
                Gen.Choose(1, 9).ToArbitrary(),
                Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
                static (partitions, processors, seed) =>
                {
                    var group = new Group(partitions, processors, seed);
                    group.RunCycles(4 * partitions);
                    var shares = group.Shares();
                    Assert.Equal(partitions, shares.Sum());
                    Assert.InRange(shares.Max() - shares.Min(), 0, 1);
                    Assert.Equal(0, group.RunCycles(3));
                }
            )
        );

    [Fact]
    public void The_partitions_of_a_dead_processor_are_shared_after_the_expiry() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Gen.Choose(2, 32).ToArbitrary(),
                Gen.Choose(2, 6).ToArbitrary(),
                Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
                static (partitions, processors, seed) =>
                {
                    var group = new Group(partitions, processors, seed);
                    group.RunCycles(4 * partitions);
                    group.Kill(seed % processors);
                    Assert.Equal(0, group.RunCycles(1));
                    group.RunCycles((4 * partitions) + 4);
                    var shares = group.Shares();
                    Assert.Equal(partitions, shares.Sum());
                    Assert.InRange(shares.Max() - shares.Min(), 0, 1);
                }
            )
        );

    private static BalanceDecision Decide(string[] partitions, Ownership[] listed, params string[] tracked) =>
        new Balancer("self", Expiry, new Random(1)).Decide(partitions, listed, tracked.ToHashSet(StringComparer.Ordinal), Nothing, Now);

    private static Ownership Owned(string partition, string owner, int age = 0) => new(partition, owner, Now.AddSeconds(-age), $"tag-{partition}");

    // Processors that take turns on one store, ten seconds between two rounds.
    private sealed class Group(int partitions, int processors, int seed)
    {
        private readonly string[] ids = [.. Enumerable.Range(0, partitions).Select(static id => $"{id}")];
        private readonly Dictionary<string, Ownership> store = new(StringComparer.Ordinal);
        private readonly List<(string Name, Balancer Balancer)> alive =
        [
            .. Enumerable.Range(0, processors).Select(id => ($"p{id}", new Balancer($"p{id}", Expiry, new Random(seed + id)))),
        ];

        private DateTimeOffset now = Now;
        private int version;

        // Returns how many partitions changed hands.
        public int RunCycles(int count)
        {
            var moves = 0;
            for (var round = 0; round < count; round++)
            {
                now += TimeSpan.FromSeconds(10);
                foreach ((var name, var balancer) in alive)
                {
                    moves += Cycle(name, balancer);
                }
            }

            return moves;
        }

        public void Kill(int index) => alive.RemoveAt(index);

        public int[] Shares() => [.. alive.Select(one => store.Values.Count(ownership => ownership.OwnerId == one.Name))];

        private int Cycle(string name, Balancer balancer)
        {
            HashSet<string> tracked = [.. store.Values.Where(one => one.OwnerId == name).Select(static one => one.PartitionId)];
            foreach (var partition in tracked)
            {
                Write(partition, name);
            }

            var decision = balancer.Decide(ids, [.. store.Values], tracked, Nothing, now);
            Assert.Empty(decision.Adopt);
            if (decision.Claim is not { } claim)
            {
                return 0;
            }

            Assert.DoesNotContain(claim.PartitionId, tracked);
            Assert.Equal(store.GetValueOrDefault(claim.PartitionId)?.ETag, claim.ETag);
            Write(claim.PartitionId, name);
            return 1;
        }

        private void Write(string partition, string name) => store[partition] = new Ownership(partition, name, now, $"{++version}");
    }
}
