using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Stores the right dead letter and removes it, or takes it for something else, before its event is at the sink.</summary>
public sealed class LosesItsDeadLettersTests
{
    [Fact]
    public void Cleans_up_at_the_end_of_the_run() =>
        Trial.Convicts(
            ["lost"],
            async schedule =>
            {
                var (services, process) = await GivingUp.RunAsync(schedule, GivingUp.StoreAsync);
                await foreach (var letter in process.DeadLetters.ListAsync(prefix: null, CancellationToken.None))
                {
                    await process.DeadLetters.DeleteAsync(letter.Name, CancellationToken.None);
                }

                return services.Judge();
            }
        );

    [Fact]
    public void Removal_of_a_dead_letter_after_a_message_to_the_operators_is_convicted() =>
        Trial.Convicts(
            ["lost"],
            async schedule =>
            {
                var (services, _) = await GivingUp.RunAsync(
                    schedule,
                    async (process, sink, received) =>
                    {
                        await GivingUp.StoreAsync(process, sink, received);
                        await process.DeadLetters.DeleteAsync(GetName(received), CancellationToken.None);
                    }
                );
                return services.Judge();
            }
        );

    [Fact]
    public void The_record_of_the_second_sink_takes_the_place_of_that_of_the_first() =>
        Trial.Convicts(
            ["lost"],
            async schedule =>
            {
                var (services, _) = await GivingUp.RunAsync(
                    schedule,
                    async (process, sink, received) =>
                    {
                        var metadata = DeadLetterFields.WithSinks(DeadLetterFields.Of(received), [sink.Name]);
                        DeadLetterFields.SetReason(metadata, "too large", attempts: 1);
                        await process.DeadLetters.UploadAsync(
                            new BlobUpload
                            {
                                Name = GetName(received),
                                Content = received.Body,
                                ContentType = received.ContentType,
                                Metadata = metadata,
                            },
                            CancellationToken.None
                        );
                    },
                    Place.Queue,
                    Place.Archive
                );
                return services.Judge();
            }
        );

    [Fact]
    public void Names_it_after_its_time() =>
        Trial.Convicts(
            ["lost", "unexpected", "checkpointAhead"],
            async schedule =>
            {
                var named = GivingUp.Changed(upload => upload with { Name = $"{schedule.Clock.GetUtcNow():yyyyMMdd-HHmmssfff}" });
                return (await GivingUp.RunAsync(schedule, named)).Services.Judge();
            }
        );

    [Fact]
    public void Takes_every_sink_for_done_where_a_dead_letter_names_one() =>
        Trial.Convicts(
            ["lost", "checkpointAhead"],
            async schedule =>
            {
                var poison = schedule.Random.Next(40);
                var services = new RecordedServices(schedule, count: 40)
                {
                    Effects = attempt => attempt is { Place: Place.Archive, Number: 1 } && attempt.Sequence == poison ? Effect.TooLarge : Effect.None,
                };

                // The archive refuses the event, its dead letter is stored, and the process ends before it sends the message.
                var first = services.Start();
                using (var ownership = first.Take())
                {
                    var received = ownership.Batches(40).First().Events[poison];
                    var blob = NaivePump.GetSinks(first)[1];
                    await Assert.ThrowsAsync<Clients.MessagingException>(() => blob.WriteAsync(received, CancellationToken.None).AsTask());
                    await GivingUp.StoreAsync(first, blob, received);
                    first.Kill();
                }

                var second = services.Start();
                await NaivePump.RunAsync(
                    second,
                    context => new CombinedStrategy(context),
                    batch: 10,
                    sink => new MistakenSink(
                        sink,
                        poison,
                        async (inner, received) =>
                        {
                            if (await second.DeadLetters.GetPropertiesAsync(GetName(received), CancellationToken.None) is null)
                            {
                                await inner.WriteAsync(received, CancellationToken.None);
                            }
                        }
                    )
                );
                return services.Judge();
            }
        );

    private static string GetName(ReceivedEvent received) => SinkNames.BlobName(RecordedServices.Hub, received.PartitionId, received.SequenceNumber);
}
