using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Supervision;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Supervision;

public sealed class OwnershipWatchTests
{
    private readonly OwnershipWatch watch = new();

    [Fact]
    public void A_partition_that_was_released_is_nobodys_from_the_release_to_the_next_claim()
    {
        Own(100, "one");
        Deliver(150, "link-1");
        Own(400, "one");
        Own(500, "");
        Own(720, "two");
        Deliver(750, "link-9", ownerLevel: null);
        Deliver(790, "link-2");

        Assert.Equal([new Handover(Departure.Left, Milliseconds(220), Milliseconds(290))], watch.Handovers);
    }

    [Fact]
    public void The_partitions_of_a_killed_owner_are_free_from_its_last_renewal()
    {
        Own(100, "one");
        Deliver(150, "link-1");
        Own(400, "one");
        Deliver(900, "link-1");
        watch.Died("one");
        Own(2000, "two");

        // A renewal before the first event changes nothing about when the partition was lost.
        Own(2500, "two");
        Deliver(2600, "link-2");

        Assert.Equal([new Handover(Departure.Died, Milliseconds(1600), Milliseconds(2200))], watch.Handovers);
    }

    [Fact]
    public void A_partition_taken_from_the_living_is_never_nobodys()
    {
        Own(100, "one");
        Own(700, "two");
        Deliver(750, "link-2");

        Assert.Equal([new Handover(Departure.Robbed, TimeSpan.Zero, Milliseconds(50))], watch.Handovers);
    }

    [Fact]
    public void First_claims_renewals_and_a_return_to_the_same_owner_are_not_hand_overs()
    {
        Own(100, "one");
        Own(200, "one");
        Own(300, "");
        Own(400, "one");

        Assert.Empty(watch.Handovers);
    }

    [Fact]
    public void Partitions_are_distinguished()
    {
        Own(100, "one", "0");
        Own(110, "one", "1");
        Own(200, "two", "1");

        Assert.Equal((1, 1), (watch.OwnedBy("one"), watch.OwnedBy("two")));
        Assert.Single(watch.Handovers);
    }

    [Fact]
    public void Counts_checkpoints_that_are_stored()
    {
        watch.Note(Checkpoint(WriteMoment.Stored));
        watch.Note(Checkpoint(WriteMoment.Answered));

        Assert.Equal(1, watch.Checkpoints);
    }

    private static TimeSpan Milliseconds(int count) => TimeSpan.FromMilliseconds(count);

    private static CheckpointWritten Checkpoint(WriteMoment moment) => new(moment, "checkpoints", "hub", "$Default", "0", "0", "0", "one", null, "etag");

    private void Own(int milliseconds, string owner, string partition = "0") =>
        watch.Note(new OwnershipWritten("checkpoints", "hub", "$Default", partition, owner, null, "etag") { Microseconds = milliseconds * 1000L });

    private void Deliver(int milliseconds, string link, long? ownerLevel = 0) =>
        watch.Note(new EventDelivered("hub", "$Default", "0", 7, link, ownerLevel) { Microseconds = milliseconds * 1000L });
}
