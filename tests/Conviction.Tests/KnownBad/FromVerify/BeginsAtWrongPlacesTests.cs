using EventHubThroughput.Conviction.Tests.Recording;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Begins to read below the checkpoint that it must have found, because it looked too early or trusts a claim that it has no more.</summary>
public sealed class BeginsAtWrongPlacesTests
{
    private const int Batch = 10;

    [Fact]
    public void At_the_position_that_was_stored_when_its_process_started() =>
        Convicts(async services =>
        {
            var process = services.Start();
            using var looked = process.Take(fenced: false);
            await ConsumeAsync(services.Start(), batches: 2);
            await ConsumeAsync(process, looked);
        });

    [Fact]
    public void At_the_position_of_its_first_claim_when_it_reads_for_the_second_time() =>
        Convicts(async services =>
        {
            var process = services.Start();
            services.Claim(process.Client);
            await ConsumeAsync(process, batches: 2, process.Client);

            using var again = process.Take(fenced: false, reader: process.Client);
            await ConsumeAsync(process, again, from: 0);
        });

    [Fact]
    public void At_the_position_of_a_claim_that_another_has_used() =>
        Convicts(async services =>
        {
            var first = services.Start();
            services.Claim(first.Client);
            await ConsumeAsync(first, batches: 2, first.Client);

            var second = services.Start();
            using var ownership = second.Take(fenced: false, reader: $"reader-{first.Client}");
            await ConsumeAsync(second, ownership, from: 0);
        });

    [Fact]
    public void At_the_position_of_a_claim_that_it_has_given_up() =>
        Convicts(async services =>
        {
            var first = services.Start();
            services.Claim(first.Client);
            services.Claim("");

            var second = services.Start();
            services.Claim(second.Client);
            await ConsumeAsync(second, batches: 2, second.Client);

            using var again = first.Take(fenced: false, reader: first.Client);
            await ConsumeAsync(first, again, from: 0);
        });

    [Fact]
    public void At_a_checkpoint_that_is_stored_for_each_third_batch_alone() =>
        Convicts(async services =>
        {
            var killed = services.Start();
            using (var left = killed.Take(fenced: false))
            {
                foreach (var batch in left.Batches(Batch).Take(2))
                {
                    await NaivePump.WriteAsync(killed, batch);
                }
            }

            await ConsumeAsync(services.Start(), int.MaxValue);
        });

    [Fact]
    public void At_the_position_of_an_unused_claim_it_is_clean_so_that_the_place_is_what_is_convicted() =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 40);
            var first = services.Start();
            services.Claim(first.Client);
            using var left = first.Take(fenced: false, reader: first.Client);
            var given = left.Batches(Batch).First();
            await NaivePump.WriteAsync(first, given);

            // The owner before stores a position between the look of the next one and its attach.
            var next = services.Start();
            services.Claim(next.Client);
            using var ownership = next.Take(fenced: false, reader: next.Client);
            await left.CheckpointAsync(NaivePump.GetEnd(given), CancellationToken.None);
            await ConsumeAsync(next, ownership);
            return services.Judge(replayLimit: Batch);
        });

    private static void Convicts(Func<RecordedServices, Task> consume) =>
        Trial.Convicts(
            ["replayBound"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                await consume(services);
                return services.Judge(replayLimit: Batch);
            }
        );

    private static async Task ConsumeAsync(RecordedProcess process, int batches, string? reader = null)
    {
        using var ownership = process.Take(fenced: false, reader);
        await ConsumeAsync(process, ownership, batches: batches);
    }

    // Stores nothing that is not above what is stored.
    private static async Task ConsumeAsync(RecordedProcess process, RecordedOwnership ownership, long? from = null, int batches = int.MaxValue)
    {
        foreach (var batch in ownership.Batches(Batch, from).Take(batches))
        {
            await NaivePump.WriteAsync(process, batch);
            if (NaivePump.GetEnd(batch).SequenceNumber > (process.Services.Stored?.Position.SequenceNumber ?? -1))
            {
                await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
            }
        }
    }
}
