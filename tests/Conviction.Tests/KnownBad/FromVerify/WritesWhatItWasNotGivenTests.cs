using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Writes events that its consumer group was never given, or begins where retention has left events and reports nothing.</summary>
public sealed class WritesWhatItWasNotGivenTests
{
    [Fact]
    public void Events_that_it_has_read_in_another_consumer_group() =>
        Trial.Convicts(
            ["accounting"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                var process = services.Start();
                using var ownership = process.Take(fenced: false);
                var first = ownership.Batches(10).First();
                await NaivePump.WriteAsync(process, first);
                await ownership.CheckpointAsync(NaivePump.GetEnd(first), CancellationToken.None);

                // When it is late, it catches up through a second reader, whose group was copied from the configuration of a tool.
                using var other = process.Take(fenced: false, group: "tool");
                foreach (var batch in other.Batches(10, from: 10))
                {
                    await NaivePump.WriteAsync(process, batch);
                    await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
                }

                return services.Judge();
            }
        );

    [Fact]
    public void Writing_what_retention_left_without_a_gap_is_convicted() =>
        Trial.Convicts(
            ["expired"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                services.Expire(schedule.Random.Next(1, 30));
                await NaivePump.RunAsync(services.Start(), context => new CombinedStrategy(context), batch: 10);
                return services.Judge();
            }
        );
}
