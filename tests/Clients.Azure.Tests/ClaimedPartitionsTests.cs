using Azure.Messaging.EventHubs.Primitives;
using EventHubThroughput.Clients.Azure.EventHubs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.EventHubs;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>Whether a partition may be read again, which the package decides before it has read the ownerships.</summary>
public sealed class ClaimedPartitionsTests
{
    private readonly VirtualClock clock = new();
    private readonly MemoryOwnerships store;
    private readonly ClaimedPartitions claimed;
    private int looks;

    public ClaimedPartitionsTests()
    {
        store = new MemoryOwnerships(clock) { OnList = () => looks++ };
        var options = new EventHubProcessorOptions { Identifier = "one", TimeProvider = clock };
        Expiry = options.OwnershipExpiry;
        claimed = new ClaimedPartitions(options, store, notice: null);
        var granted = store.Put("0", "one");
        claimed.Note(
            [
                new EventProcessorPartitionOwnership
                {
                    PartitionId = "0",
                    OwnerIdentifier = "one",
                    Version = granted.ETag,
                },
            ],
            claimed.BeginClaim()
        );
    }

    private TimeSpan Expiry { get; }

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Another_owner_is_found_after_the_claim_may_have_expired()
    {
        store.Put("0", "two");

        Assert.False(await claimed.HasOtherOwnerAsync("0", Cancellation));
        Assert.Equal(0, looks);
        clock.Advance(Expiry);
        Assert.True(await claimed.HasOtherOwnerAsync("0", Cancellation));
    }

    [Fact]
    public async Task A_claim_that_may_have_expired_and_is_still_stored_is_ours()
    {
        clock.Advance(Expiry);

        Assert.False(await claimed.HasOtherOwnerAsync("0", Cancellation));
        Assert.Equal(1, looks);
    }

    [Fact]
    public async Task A_partition_that_was_given_up_is_not_ours()
    {
        store.Put("0", "");
        clock.Advance(Expiry);

        Assert.True(await claimed.HasOtherOwnerAsync("0", Cancellation));
    }

    [Fact]
    public async Task A_store_that_does_not_answer_names_no_other_owner()
    {
        store.Put("0", "two");
        store.OnList = static () => throw new MessagingException(FailureKind.Transient, "no answer");
        clock.Advance(Expiry);

        Assert.False(await claimed.HasOtherOwnerAsync("0", Cancellation));
    }
}
