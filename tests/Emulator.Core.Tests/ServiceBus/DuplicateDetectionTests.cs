using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.ServiceBus;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>Message ids that were used within the window.</summary>
public sealed class DuplicateDetectionTests : EntityFixture
{
    private static readonly QueueSettings Settings = new("queue") { DuplicateDetection = TimeSpan.FromSeconds(20) };

    [Fact]
    public void A_second_message_of_an_id_is_taken_and_dropped()
    {
        var queue = Queue(Settings);
        Send(queue, Encoded.Content("a"));
        Receipt? told = null;
        var receipt = queue.Send([Encoded.Content("b"), Encoded.Content("a"), Encoded.Content("b")], stored => told = stored, 0)!;
        Assert.Same(receipt, told);
        Assert.Equal([false, true, true], Enumerable.Range(0, 3).Select(receipt.IsDuplicate));
        Assert.Equal(["a", "b"], Ids(queue));
    }

    [Fact]
    public void Duplicate_is_dropped_although_the_first_message_is_gone_or_scheduled()
    {
        var queue = Queue(Settings);
        Send(queue, Encoded.Content("a"));
        queue.Complete(queue.TryLock()!.LockToken);
        Send(queue, Encoded.Content("b", scheduled: Clock.GetUtcNow() + Seconds(5)));
        Send(queue, Encoded.Content("a"), Encoded.Content("b"));
        Clock.Advance(Seconds(5));
        Assert.Equal(["b"], Ids(queue));
    }

    [Fact]
    public void The_window_counts_from_the_first_use_and_gives_its_memory_back()
    {
        var queue = Queue(Settings);
        Send(queue, Encoded.Content("a"));
        var held = Budget.UsedBytes;
        Clock.Advance(Seconds(19));
        Send(queue, Encoded.Content("a"));
        Assert.Equal((1, held), (queue.Count, Budget.UsedBytes));
        Clock.Advance(Seconds(1));
        Send(queue, Encoded.Content("a"));
        Assert.Equal((2, (2 * held) - DuplicateWindow.GetCost("a")), (queue.Count, Budget.UsedBytes));
    }

    [Fact]
    public void A_deleted_entity_returns_the_memory_of_its_identifiers()
    {
        Send(Queue(Settings), Encoded.Content("a"), Encoded.Content("b"));
        Send(Topic(new TopicSettings("topic") { DuplicateDetection = Seconds(20) }), Encoded.Content("a"), Encoded.Content("b"));
        Assert.True(Registry.DeleteQueue("queue"));
        Assert.Equal(2 * DuplicateWindow.GetCost("a"), Budget.UsedBytes);
        Assert.True(Registry.DeleteTopic("topic"));
        Assert.Equal(0, Budget.UsedBytes);
    }

    [Fact]
    public void A_message_that_was_refused_does_not_use_its_id()
    {
        var queue = Queue(Settings);
        Assert.Throws<InvalidOperationException>(() => queue.Send([Encoded.Content("a")], static _ => throw new InvalidOperationException(), 0));
        Assert.Equal((0, 0L), (queue.Count, Budget.UsedBytes));
        Send(queue, Encoded.Content("a"));
        Assert.Equal(["a"], Ids(queue));
    }
}
