using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>KB12: a new name for each write, so that nothing recognises a repetition, nor the event.</summary>
public sealed class WritesUnderFreshNamesTests
{
    [Fact]
    public void Killed_and_started_again_nothing_of_it_belongs_to_an_event() =>
        Trial.Convicts(
            ["lost", "unexpected", "checkpointAhead"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                var killed = services.Start();
                var running = NaivePump.RunAsync(killed, context => new BaselineStrategy(context), batch: 10, sink => new Renaming(sink, schedule.Random));
                await schedule.PauseAsync(100, CancellationToken.None);
                killed.Kill();
                await NaivePump.RunAsync(services.Start(), context => new BaselineStrategy(context), batch: 10, sink => new Renaming(sink, schedule.Random));
                Assert.False(running.IsCompleted);

                return services.Judge();
            }
        );

    /// <summary>Gives the event another sequence number, and so another name, before it is written.</summary>
    private sealed class Renaming(ISink<ReceivedEvent> inner, Random random) : ISink<ReceivedEvent>
    {
        public string Name => inner.Name;

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) =>
            inner.WriteAsync(
                new ReceivedEvent
                {
                    PartitionId = receivedEvent.PartitionId,
                    SequenceNumber = random.NextInt64(1L << 40, long.MaxValue),
                    Offset = receivedEvent.Offset,
                    Body = receivedEvent.Body,
                    ContentType = receivedEvent.ContentType,
                    EncodedProperties = receivedEvent.EncodedProperties,
                },
                cancellationToken
            );
    }
}
