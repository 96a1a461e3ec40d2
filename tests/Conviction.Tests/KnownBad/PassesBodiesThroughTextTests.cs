using System.Text;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad;

/// <summary>KB13: reads a body as UTF-8 text and writes the text, where bodies are random bytes.</summary>
public sealed class PassesBodiesThroughTextTests
{
    [Fact]
    public void The_copies_hold_other_bytes() =>
        Trial.Convicts(
            ["corrupt"],
            async schedule =>
            {
                var services = WithRandomBodies(schedule);
                await NaivePump.RunAsync(services.Start(), context => new BaselineStrategy(context), batch: 10, sink => new ThroughText(sink));
                return services.Judge();
            }
        );

    [Fact]
    public void The_real_sinks_pass_them_unharmed() =>
        Trial.Clears(async schedule =>
        {
            var services = WithRandomBodies(schedule);
            using var consumer = new RealPump(services.Start(), StrategyCatalog.Find("baseline").Create);
            await consumer.RunAsync(10);
            return services.Judge();
        });

    private static RecordedServices WithRandomBodies(Schedule schedule) =>
        new(
            schedule,
            count: 20,
            body: _ =>
            {
                // A first byte that no UTF-8 text has.
                var body = new byte[64];
                schedule.Random.NextBytes(body);
                body[0] = 0xFF;
                return body;
            }
        );

    private sealed class ThroughText(ISink<ReceivedEvent> inner) : ISink<ReceivedEvent>
    {
        public string Name => inner.Name;

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) =>
            inner.WriteAsync(ChangedBody.Of(receivedEvent, Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(receivedEvent.Body.Span))), cancellationToken);
    }
}
