using EventHubThroughput.Clients;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Sends a message again because its answer is late, too early, too late or too often.</summary>
public sealed class RepeatsAfterALateAnswerTests
{
    [Fact]
    public void Sending_again_after_the_late_answer_is_convicted() =>
        Convicts(
            milliseconds: 2_000,
            async (sink, received, _) =>
            {
                await SendAsync(sink, received);
                await SendAsync(sink, received);
            }
        );

    [Fact]
    public void After_300_ms_where_the_answer_takes_600() => Convicts(milliseconds: 600, (sink, received, clock) => HedgeAsync(sink, received, clock, 300));

    [Fact]
    public void Every_second_until_the_answer_arrives() =>
        Convicts(milliseconds: 4_000, (sink, received, clock) => HedgeAsync(sink, received, clock, 1_200, 1_200));

    [Fact]
    public void Twice_where_no_answer_arrives_ever() =>
        Convicts(
            milliseconds: null,
            async (sink, received, _) =>
            {
                await Assert.ThrowsAsync<MessagingException>(() => SendAsync(sink, received));
                await SendAsync(sink, received);
                await SendAsync(sink, received);
            }
        );

    [Fact]
    public void Sending_again_after_a_second_without_an_answer_is_clean() =>
        Trial.Clears(schedule => RunAsync(schedule, 2_000, (sink, received, clock) => HedgeAsync(sink, received, clock, 1_200)));

    [Fact]
    public void Sending_again_without_any_answer_is_clean() =>
        Trial.Clears(schedule =>
            RunAsync(
                schedule,
                milliseconds: null,
                async (sink, received, _) =>
                {
                    await Assert.ThrowsAsync<MessagingException>(() => SendAsync(sink, received));
                    await SendAsync(sink, received);
                }
            )
        );

    private static void Convicts(int? milliseconds, Func<ISink<ReceivedEvent>, ReceivedEvent, VirtualClock, Task> send) =>
        Trial.Convicts(["duplicateServiceBus"], schedule => RunAsync(schedule, milliseconds, send));

    // The first message of one event is answered after so long, or never.
    private static async Task<Verdict> RunAsync(Schedule schedule, int? milliseconds, Func<ISink<ReceivedEvent>, ReceivedEvent, VirtualClock, Task> send)
    {
        var victim = schedule.Random.Next(40);
        var services = new RecordedServices(schedule, count: 40)
        {
            LateAnswer = TimeSpan.FromMilliseconds(milliseconds ?? 0),
            Effects = attempt =>
                attempt is not { Place: Place.Queue, Number: 1 } || attempt.Sequence != victim ? Effect.None
                : milliseconds is null ? Effect.AnswerLost
                : Effect.AnsweredLate,
        };
        await NaivePump.RunAsync(
            services.Start(),
            context => new CombinedStrategy(context),
            batch: 10,
            sink =>
                sink.Name == ServiceBusSink.SinkName ? new MistakenSink(sink, victim, (inner, received) => new(send(inner, received, schedule.Clock))) : sink
        );
        return services.Judge();
    }

    // Sends again after each wait, and takes the first answer of all for that of the event.
    private static async Task HedgeAsync(ISink<ReceivedEvent> sink, ReceivedEvent received, VirtualClock clock, params int[] waits)
    {
        var sent = new List<Task> { SendAsync(sink, received) };
        foreach (var wait in waits)
        {
            await clock.DelayAsync(TimeSpan.FromMilliseconds(wait), CancellationToken.None);
            sent.Add(SendAsync(sink, received));
        }

        await Task.WhenAll(sent);
    }

    private static Task SendAsync(ISink<ReceivedEvent> sink, ReceivedEvent received) => sink.WriteAsync(received, CancellationToken.None).AsTask();
}
