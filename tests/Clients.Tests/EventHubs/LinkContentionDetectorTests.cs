using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.EventHubs;

public sealed class LinkContentionDetectorTests
{
    private readonly VirtualClock clock = new();
    private readonly LinkContentionDetector fights;

    public LinkContentionDetectorTests() => fights = new LinkContentionDetector(clock);

    [Fact]
    public void An_owner_that_notices_a_loss_late_is_not_counted_as_a_fight()
    {
        for (var taken = 1; taken < LinkContentionDetector.Limit; taken++)
        {
            Assert.Null(fights.Note("0"));
        }
    }

    [Fact]
    public void Names_the_cause_of_one_too_many_within_the_window()
    {
        for (var taken = 1; taken < LinkContentionDetector.Limit; taken++)
        {
            fights.Note("0");
            clock.Advance(TimeSpan.FromSeconds(74));
        }

        Assert.Equal(
            "partition 0 was taken 5 times in 5 min by a reader that claimed it nowhere in this checkpoint store: another processor with a different checkpoint store",
            fights.Note("0")!.Message
        );
    }

    [Fact]
    public void Link_losses_of_the_distant_past_are_forgotten()
    {
        for (var taken = 0; taken < 20; taken++)
        {
            Assert.Null(fights.Note("0"));
            clock.Advance(TimeSpan.FromSeconds(76));
        }
    }

    [Fact]
    public void Counts_each_partition_by_itself()
    {
        for (var partition = 0; partition < 20; partition++)
        {
            Assert.Null(fights.Note($"{partition}"));
        }
    }
}
