using System.Text;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Sends a message that is not what the event was, sends it elsewhere or under another name, or sends messages that are of no event.</summary>
public sealed class SendsOtherMessagesTests
{
    private static readonly string[] Lost = ["lost", "checkpointAhead"];

    [Fact]
    public void No_content_type() => OneMistake.InTheMessageConvicts(["corrupt"], static message => message with { ContentType = null });

    [Fact]
    public void Another_content_type() =>
        OneMistake.InTheMessageConvicts(["corrupt"], static message => message with { ContentType = "text/plain; charset=utf-8" });

    [Fact]
    public void No_properties() => OneMistake.InTheMessageConvicts(["corrupt"], static message => message with { EncodedProperties = default });

    [Fact]
    public void Properties_of_other_types() =>
        OneMistake.InTheMessageConvicts(
            ["corrupt"],
            static message => message with { EncodedProperties = Encoding.UTF8.GetBytes("0" + Encoding.UTF8.GetString(message.EncodedProperties.Span)) }
        );

    [Fact]
    public void Into_a_queue_of_retries_that_is_not_read() =>
        OneMistake.Convicts(
            Lost,
            ServiceBusSink.SinkName,
            async (process, inner, received) =>
            {
                try
                {
                    await inner.WriteAsync(received, CancellationToken.None);
                }
                catch (MessagingException)
                {
                    await new ServiceBusSink(process.SenderTo("retries"), RecordedServices.Hub).WriteAsync(received, CancellationToken.None);
                }
            },
            static attempt => attempt is { Place: Place.Queue, Number: 1 } ? Effect.Refused : Effect.None
        );

    [Fact]
    public void Under_a_new_name_when_the_answer_to_the_first_was_lost() =>
        OneMistake.Convicts(
            ["unexpected"],
            ServiceBusSink.SinkName,
            async (process, inner, received) =>
            {
                try
                {
                    await inner.WriteAsync(received, CancellationToken.None);
                }
                catch (MessagingException)
                {
                    var sender = new ChangedMessages(process.Queue, static message => message with { MessageId = message.MessageId + "-retry" });
                    await new ServiceBusSink(sender, RecordedServices.Hub).WriteAsync(received, CancellationToken.None);
                }
            },
            static attempt => attempt is { Place: Place.Queue, Number: 1 } ? Effect.AnswerLost : Effect.None
        );

    [Fact]
    public void A_marker_after_each_batch() =>
        Trial.Convicts(
            ["unexpected"],
            schedule =>
                RunAsync(
                    new RecordedServices(schedule, count: 40),
                    static (process, batch) =>
                        process.Queue.SendAsync(
                            new OutgoingMessage
                            {
                                MessageId = $"{RecordedServices.Hub}-{batch.PartitionId}-end",
                                Body = default,
                                EncodedProperties = batch.Events[^1].EncodedProperties,
                            },
                            CancellationToken.None
                        )
                )
        );

    [Fact]
    public void Sending_messages_from_a_spool_file_of_an_earlier_run_is_convicted() =>
        Trial.Convicts(
            ["unexpected"],
            schedule =>
                RunAsync(
                    new RecordedServices(schedule, count: 40),
                    static (process, batch) =>
                        process.Queue.SendAsync(
                            new OutgoingMessage
                            {
                                MessageId = SinkNames.MessageId(RecordedServices.Hub, batch.PartitionId, batch.Events[^1].SequenceNumber + 1_000),
                                Body = "of yesterday"u8.ToArray(),
                                ContentType = "text/plain",
                                EncodedProperties = "yesterday:7"u8.ToArray(),
                            },
                            CancellationToken.None
                        )
                )
        );

    [Fact]
    public void Sending_no_message_for_an_event_without_a_body_is_convicted() =>
        Trial.Convicts(
            Lost,
            async schedule =>
            {
                var empty = schedule.Random.Next(40);
                var services = new RecordedServices(schedule, count: 40, body: index => index == empty ? [] : [(byte)index]);
                await NaivePump.RunAsync(services.Start(), context => new SkipsEmptyBodies(context), batch: 10);
                return services.Judge();
            }
        );

    private static async Task<Verification.Verdict> RunAsync(RecordedServices services, Func<RecordedProcess, EventBatch, ValueTask> afterEachBatch)
    {
        var process = services.Start();
        using var ownership = process.Take(fenced: false);
        foreach (var batch in ownership.Batches(10))
        {
            await NaivePump.WriteAsync(process, batch);
            await afterEachBatch(process, batch);
            await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
        }

        return services.Judge();
    }

    private sealed class SkipsEmptyBodies(StrategyContext context) : IProcessingStrategy
    {
        public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
            new CombinedStrategy(context).DispatchAsync([.. batch.Where(static received => !((ReceivedEvent)received).Body.IsEmpty)], cancellationToken);
    }
}
