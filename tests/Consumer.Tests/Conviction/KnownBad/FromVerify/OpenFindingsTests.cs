using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Consumer.Tests.Conviction.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Conviction.KnownBad.FromVerify;

/// <summary>Consumers whose verdict is another one than docs/verify.md says.</summary>
public sealed class OpenFindingsTests
{
    private static readonly string[] Redundant = ["redundantDeadLetters"];

    [Fact]
    public void A_dead_letter_with_the_mark_of_an_event_without_a_content_type_is_corrupt() =>
        DeadLetterConvicts(ChangedUploads.Metadata(DeadLetterFields.Untyped, "1"));

    [Fact]
    public void A_dead_letter_with_a_kind_of_body_that_does_not_exist_is_corrupt() =>
        DeadLetterConvicts(ChangedUploads.Metadata(DeadLetterFields.BodyKind, "Text"));

    [Fact]
    public void A_dead_letter_with_the_kind_of_another_body_is_corrupt() => DeadLetterConvicts(ChangedUploads.Metadata(DeadLetterFields.BodyKind, "Value"));

    [Fact]
    public void A_dead_letter_with_its_hash_in_capital_letters_is_corrupt() => DeadLetterConvicts(InCapitals);

    [Fact]
    public void A_blob_with_its_hash_in_capital_letters_is_corrupt() => OneMistake.InTheBlobConvicts(["corrupt"], InCapitals);

    [Fact]
    public void A_dead_letter_that_stays_when_the_next_try_of_the_same_owner_succeeds_is_redundant() =>
        OneMistake.Convicts(
            Redundant,
            ServiceBusSink.SinkName,
            async (process, inner, received) =>
            {
                try
                {
                    await inner.WriteAsync(received, CancellationToken.None);
                }
                catch (MessagingException)
                {
                    await GivingUp.StoreAsync(process, inner, received);
                    await inner.WriteAsync(received, CancellationToken.None);
                }
            },
            static attempt => attempt is { Place: Place.Queue, Number: 1 } ? Effect.Refused : Effect.None
        );

    [Fact]
    public void A_dead_letter_after_300_ms_of_a_message_that_is_answered_after_600_ms_is_redundant() =>
        Trial.Convicts(Redundant, schedule => DeadLettersWhatIsWrittenTests.WaitAsync(schedule, answer: 600, wait: 300));

    [Fact]
    public void Checkpoints_of_two_processes_that_claim_nothing_fall_within_one_owner() =>
        Trial.Convicts(
            ["checkpointRegressionWithin"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                await Task.WhenAll(ConsumeAsync(services), ConsumeAsync(services));
                return services.Judge();
            }
        );

    [Fact]
    public void A_falling_checkpoint_signed_with_another_name_where_nothing_is_claimed_falls_within_one_owner() =>
        Trial.Convicts(
            ["checkpointRegressionWithin"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                var process = services.Start();
                using var ownership = process.Take(fenced: false);
                EventBatch? before = null;
                foreach (var batch in ownership.Batches(10))
                {
                    await NaivePump.WriteAsync(process, batch);
                    await StoreAsync(services, batch);
                    if (before is not null)
                    {
                        await StoreAsync(services, before);
                        await StoreAsync(services, batch);
                    }

                    before = batch;
                }

                return services.Judge();
            }
        );

    [Fact]
    public void A_process_whose_readers_have_no_name_and_that_sends_twice_what_it_was_given_twice_is_clean() =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 40);
            await RepeatsWhatWasDeliveredTests.ReadTwiceAsync(services, times: 2, named: false);
            return services.Judge();
        });

    private static void DeadLetterConvicts(Func<BlobUpload, BlobUpload> change) =>
        Trial.Convicts(["corrupt"], async schedule => (await GivingUp.RunAsync(schedule, GivingUp.Changed(change))).Services.Judge());

    private static BlobUpload InCapitals(BlobUpload upload) =>
        ChangedUploads.Metadata(EventBlob.HashName, upload.Metadata![EventBlob.HashName].ToUpperInvariant())(upload);

    private static Task ConsumeAsync(RecordedServices services) => NaivePump.RunAsync(services.Start(), context => new CombinedStrategy(context), batch: 10);

    private static async Task StoreAsync(RecordedServices services, EventBatch batch)
    {
        using var signed = services.Start().Take(fenced: false);
        await signed.CheckpointAsync(NaivePump.EndOf(batch), CancellationToken.None);
    }
}
