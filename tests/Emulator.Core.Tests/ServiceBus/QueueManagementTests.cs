using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Journalling;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>Requests whose answers could become too large.</summary>
public sealed class QueueManagementTests : IDisposable
{
    private const int MessageBytes = 200_000;
    private const int Count = 60;

    private readonly ServiceBusRegistry _registry = new(new MemoryBudget(1L << 30), new VirtualClock());
    private readonly MessageQueue _queue;
    private readonly QueueManagement _management;

    public QueueManagementTests()
    {
        _registry.CreateQueue(new QueueSettings("queue"));
        _queue = _registry.FindQueue("queue")!;
        _management = new QueueManagement(_queue, EmulatorJournal.Off);
        for (var i = 0; i < Count; i++)
        {
            _queue.Send([Encoded.Content(new string('x', MessageBytes / 2))], null, 0);
        }
    }

    public void Dispose() => _registry.Dispose();

    [Fact]
    public void Peeking_goes_through_all_messages_in_answers_of_bounded_size()
    {
        var seen = 0;
        while (Peek(from: seen + 1) is { Status: 200 } answer)
        {
            var messages = GetMessages(answer);
            Assert.InRange(messages.Count, 1, 6);
            seen += messages.Count;
        }

        Assert.Equal(Count, seen);
    }

    [Fact]
    public void Deferred_messages_that_are_too_many_for_an_answer_are_refused_and_stay_deferred()
    {
        while (_queue.TryLock() is { } delivery)
        {
            _queue.Defer(delivery.LockToken, null);
        }

        var refused = ReceiveDeferred(Count);
        Assert.Equal((400, ErrorCondition.MessageSizeExceeded), (refused.Status, refused.Condition));
        Assert.Equal(40, GetMessages(ReceiveDeferred(40)).Count);
    }

    private Answer Peek(long from) => _management.Peek(new AmqpMap { { AmqpNames.FromSequenceNumber, from }, { AmqpNames.MessageCount, 1_000 } });

    private Answer ReceiveDeferred(int count) =>
        _management.ReceiveDeferred(new AmqpMap { { AmqpNames.SequenceNumbers, AmqpArray.Of(Enumerable.Range(1, count).Select(static i => (long)i)) } });

    private static AmqpList GetMessages(Answer answer) => Assert.IsType<AmqpList>(answer.Body![AmqpNames.Messages]);
}
