using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>Sinks that drop one write, write one twice, or exchange two bodies, and the pump without a mistake beside them.</summary>
public sealed class WritesWrongCopiesTests
{
    [Fact]
    public void Dropping_one_write_is_a_loss() =>
        Trial.Convicts(
            ["lost", "checkpointAhead"],
            schedule => RunAsync(schedule, (sink, victim) => new MistakenSink(sink, victim, (_, _) => ValueTask.CompletedTask))
        );

    [Fact]
    public void Writing_twice_is_a_duplicate() =>
        Trial.Convicts(
            ["duplicateServiceBus"],
            schedule =>
                RunAsync(
                    schedule,
                    (sink, victim) =>
                        new MistakenSink(
                            sink,
                            victim,
                            async (inner, received) =>
                            {
                                await inner.WriteAsync(received, CancellationToken.None);
                                await inner.WriteAsync(received, CancellationToken.None);
                            }
                        )
                )
        );

    [Fact]
    public void Another_body_is_corruption() =>
        Trial.Convicts(
            ["corrupt"],
            schedule =>
                RunAsync(
                    schedule,
                    (sink, victim) =>
                        new MistakenSink(
                            sink,
                            victim,
                            (inner, received) => inner.WriteAsync(ChangedBody.Of(received, "event 0 "u8.ToArray()), CancellationToken.None)
                        )
                )
        );

    [Theory]
    [InlineData("baseline")]
    [InlineData("inloop")]
    [InlineData("outloop")]
    [InlineData("combined")]
    public void Without_a_mistake_the_naive_pump_is_clean_so_that_the_mistakes_are_what_is_convicted(string strategy) =>
        Trial.Clears(schedule => RunAsync(schedule, (sink, _) => sink, strategy));

    [Theory]
    [InlineData("baseline")]
    [InlineData("inloop")]
    [InlineData("outloop")]
    [InlineData("combined")]
    public void The_real_pump_is_clean(string strategy) =>
        Trial.Clears(async schedule =>
        {
            var services = new RecordedServices(schedule, count: 47);
            using var consumer = new RealPump(services.Start(), StrategyCatalog.Find(strategy).Create);
            await consumer.RunAsync(10);
            Assert.Empty(consumer.Errors);
            Assert.Equal([9L, 19L, 29L, 39L, 46L], consumer.Confirmed);
            return services.Judge();
        });

    private static async Task<Verdict> RunAsync(
        Schedule schedule,
        Func<ISink<ReceivedEvent>, long, ISink<ReceivedEvent>> disguise,
        string strategy = "combined"
    )
    {
        var services = new RecordedServices(schedule, count: 47);
        var victim = schedule.Random.Next(47);
        await NaivePump.RunAsync(services.Start(), StrategyCatalog.Find(strategy).Create, batch: 10, sink => disguise(sink, victim));
        return services.Judge();
    }
}
