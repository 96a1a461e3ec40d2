using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Processing.Tests.Doubles;
using EventHubThroughput.Processing.Tests.Redriving;
using EventHubThroughput.Pump.Faults;
using Xunit;

namespace EventHubThroughput.Processing.Tests;

/// <summary>Handlers of values that are deserialized from the bodies of events.</summary>
public sealed class TypedHandlerTests
{
    // A try that is repeated waits for seconds of the system's clock, up to ten tries and this.
    private const int Limit = 60_000;

    private const string Good = """{"Id":"a","Count":1}""";

    private readonly ConcurrentQueue<EventContext<Order>> handled = new();

    public static TheoryData<string> BadBodies => ["", "no JSON", "[1]", """{"Id":"a","Count":"many"}""", "null", "{\"Id\":\"\u00ff\", \"Count\": 1e400}"];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact(Timeout = Limit)]
    public async Task Gets_the_value_the_event_and_its_place()
    {
        var hub = Hub(Good, """{"Id":"b","Count":2}""");

        var result = await RunAsync(hub, SinkDescriptor.Of<Order>(NoteAsync, OrderJson.Default.Order));

        result.ThrowIfFaulted();
        Assert.Equal([new Order("a", 1), new Order("b", 2)], handled.OrderBy(static one => one.Position.SequenceNumber).Select(static one => one.Value));
        Assert.All(handled, one => Assert.Same(hub.Batch!.Events[(int)one.Position.SequenceNumber], one.Event));
        Assert.All(handled, static one => Assert.Equal(("0", one.Event.Offset), (one.PartitionId, one.Position.Offset)));
    }

    [Theory(Timeout = Limit)]
    [MemberData(nameof(BadBodies))]
    public async Task A_body_that_is_not_JSON_of_the_type_fails_permanently_at_the_first_try(string body)
    {
        var result = await RunAsync(Hub(body), SinkDescriptor.Of<Order>(NoteAsync, OrderJson.Default.Order));

        var fault = Assert.Single(result.Faults);
        Assert.Equal(ProcessingFaultKind.Poison, fault.Kind);
        Assert.StartsWith(
            "event 0 of partition 0 failed at handler after 1 attempt: event 0 of partition 0: its body is not JSON of Order",
            fault.Message,
            StringComparison.Ordinal
        );
        Assert.Empty(handled);
    }

    [Fact(Timeout = Limit)]
    public async Task A_body_of_another_kind_fails_for_good_at_the_first_try()
    {
        var value = new ReceivedEvent
        {
            PartitionId = "0",
            SequenceNumber = 0,
            Offset = "0",
            Body = Encoding.UTF8.GetBytes(Good),
            BodyKind = EventBodyKind.Value,
        };

        var result = await RunAsync(new OnePartition(1) { Batch = new EventBatch("0", [value]) }, SinkDescriptor.Of<Order>(NoteAsync));

        Assert.StartsWith(
            "event 0 of partition 0 failed at handler after 1 attempt: event 0 of partition 0: its body is of kind Value",
            Assert.Single(result.Faults).Message,
            StringComparison.Ordinal
        );
    }

    [Fact(Timeout = Limit)]
    public async Task A_body_that_is_not_JSON_is_stored_as_a_dead_letter_and_the_others_are_handled()
    {
        var dead = new MemoryBlobs("deadletters");
        var hub = Hub([Good, "no JSON", Good], dead);

        var result = await RunAsync(hub, SinkDescriptor.Of<Order>(NoteAsync, OrderJson.Default.Order), PoisonPolicy.DeadLetter);

        result.ThrowIfFaulted();
        Assert.Equal([0L, 2L], handled.Select(static one => one.Position.SequenceNumber).Order());
        Assert.Equal(2, hub.Stored);
        var letter = Assert.Single(dead.Blobs);
        Assert.Equal(RedriveBench.GetName(1), letter.Key);
        Assert.Equal("1", letter.Value.Metadata![DeadLetterFields.Attempts]);
        Assert.StartsWith(
            "handler: event 1 of partition 0: its body is not JSON of Order",
            letter.Value.Metadata[DeadLetterFields.Reason],
            StringComparison.Ordinal
        );
    }

    [Fact(Timeout = Limit)]
    public async Task An_exception_of_the_handler_itself_is_tried_again()
    {
        var calls = 0;

        var result = await RunAsync(
            Hub(Good),
            SinkDescriptor.Of<Order>(
                (_, _) => Interlocked.Increment(ref calls) == 1 ? throw new JsonException("of another document") : ValueTask.CompletedTask,
                OrderJson.Default.Order
            )
        );

        result.ThrowIfFaulted();
        Assert.Equal(2, calls);
    }

    private static OnePartition Hub(params string[] bodies) => Hub(bodies, null);

    private static OnePartition Hub(string[] bodies, MemoryBlobs? deadLetters) =>
        new(bodies.Length)
        {
            Container = deadLetters,
            Batch = new EventBatch(
                "0",
                [
                    .. bodies.Select(
                        static (body, index) =>
                            new ReceivedEvent
                            {
                                PartitionId = "0",
                                SequenceNumber = index,
                                Offset = $"@{index}",
                                Body = Encoding.UTF8.GetBytes(body),
                                MessageId = $"m-{index}",
                            }
                    ),
                ]
            ),
        };

    private static async Task<ProcessingResult> RunAsync(OnePartition hub, SinkDescriptor sink, PoisonPolicy policy = PoisonPolicy.Stop)
    {
        var options = new ProcessingOptions { Identifier = "test", OnPoison = policy };
        await using var processing = new EventHubProcessing(hub, RedriveBench.Settings, options, sink);
        return await processing.RunAsync(hub.GiveAsync().WaitAsync, Cancellation);
    }

    private ValueTask NoteAsync(EventContext<Order> order, CancellationToken cancellationToken)
    {
        handled.Enqueue(order);
        return ValueTask.CompletedTask;
    }
}
