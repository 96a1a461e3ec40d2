using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>
/// Gives up an event that the queue refuses for good. It puts its body outside of the dead-letter store or gives no reason, and lets the checkpoint
/// pass it.
/// </summary>
public sealed class DeadLettersWithoutAReasonTests
{
    [Fact]
    public void A_blob_in_the_archive_is_not_accepted_as_a_dead_letter() => Convicts("not in the queue", process => process.Archive, reason: null);

    [Fact]
    public void In_the_archive_a_reason_makes_it_none_either() => Convicts("not in the queue", process => process.Archive, reason: "too large");

    [Fact]
    public void Among_the_dead_letters_it_is_none_without_a_reason() => Convicts("not in the queue", process => process.DeadLetters, reason: null);

    [Fact]
    public void Among_the_dead_letters_it_is_none_with_a_blank_reason() => Convicts("not in the queue", process => process.DeadLetters, reason: " ");

    [Fact]
    public void Among_the_dead_letters_with_a_reason_it_is_clean_so_that_place_and_reason_are_what_is_convicted() =>
        Trial.Clears(schedule => RunAsync(schedule, process => process.DeadLetters, reason: "too large"));

    private static void Convicts(string example, Func<RecordedProcess, IBlobContainer> deadLetters, string? reason) =>
        Trial.Convicts(
            ["lost", "checkpointAhead"],
            async schedule =>
            {
                var verdict = await RunAsync(schedule, deadLetters, reason);
                Assert.Equal(1, verdict.Lost);
                Assert.EndsWith(example, verdict.Charges[0].Example, StringComparison.Ordinal);
                return verdict;
            }
        );

    private static async Task<Verdict> RunAsync(Schedule schedule, Func<RecordedProcess, IBlobContainer> deadLetters, string? reason)
    {
        var poison = schedule.Random.Next(40);
        var services = new RecordedServices(schedule, count: 40)
        {
            Effects = attempt => attempt.Place == Place.Queue && attempt.Sequence == poison ? Effect.TooLarge : Effect.None,
        };
        var process = services.Start();
        await NaivePump.RunAsync(process, context => new CombinedStrategy(context), batch: 10, sink => new GivesUp(sink, deadLetters(process), reason));
        return services.Judge();
    }

    private sealed class GivesUp(ISink<ReceivedEvent> inner, IBlobContainer deadLetters, string? reason) : ISink<ReceivedEvent>
    {
        public string Name => inner.Name;

        public async ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            try
            {
                await inner.WriteAsync(receivedEvent, cancellationToken);
            }
            catch (MessagingException failure) when (failure.Kind == FailureKind.TooLarge)
            {
                var metadata = EventBlob.GetMetadata(receivedEvent.Body);
                metadata["sinks"] = ServiceBusSink.SinkName;
                metadata["properties"] = Convert.ToBase64String(receivedEvent.EncodedProperties.Span);
                if (reason is not null)
                {
                    metadata["reason"] = reason;
                }

                // What is there already is taken for the dead letter.
                await EventBlob.StoreOrFindAsync(
                    deadLetters,
                    new BlobUpload
                    {
                        Name = SinkNames.BlobName(RecordedServices.Hub, receivedEvent.PartitionId, receivedEvent.SequenceNumber),
                        Content = receivedEvent.Body,
                        ContentType = receivedEvent.ContentType,
                        Metadata = metadata,
                    },
                    cancellationToken
                );
            }
        }
    }
}
