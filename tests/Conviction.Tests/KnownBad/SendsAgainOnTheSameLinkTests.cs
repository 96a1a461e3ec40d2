using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>Hands an event to its strategy a second time on the same link, out of a buffer or as if it had been pushed again.</summary>
public sealed class SendsAgainOnTheSameLinkTests
{
    [Fact]
    public void A_copy_from_the_buffer_of_the_consumer_is_not_explained_by_a_delivery() =>
        Trial.Convicts(["duplicateServiceBus"], schedule => RunAsync(schedule, isPushedAgain: false));

    [Fact]
    public void A_link_is_given_each_event_once_so_that_a_second_push_explains_no_copy() =>
        Trial.Convicts(["duplicateServiceBus", "accounting"], schedule => RunAsync(schedule, isPushedAgain: true));

    private static async Task<Verdict> RunAsync(Schedule schedule, bool isPushedAgain)
    {
        var services = new RecordedServices(schedule, count: 40);
        var process = services.Start();
        var again = schedule.Random.Next(4);
        using var ownership = process.Take(fenced: false);
        foreach (var batch in ownership.Batches(10, prefetches: true))
        {
            await NaivePump.WriteAsync(process, batch);
            if (again-- == 0)
            {
                if (isPushedAgain)
                {
                    ownership.Push(batch.Events[0]);
                }

                await NaivePump.WriteAsync(process, new EventBatch(batch.PartitionId, [batch.Events[0]]));
            }

            await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
        }

        return services.Judge();
    }
}
