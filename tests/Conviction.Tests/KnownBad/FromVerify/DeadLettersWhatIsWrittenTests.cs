using EventHubThroughput.Clients;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Stores a dead letter for a sink that has the event and has answered in time, so that a redrive would write it again.</summary>
public sealed class DeadLettersWhatIsWrittenTests
{
    [Theory]
    [InlineData(ServiceBusSink.SinkName)]
    [InlineData(BlobSink.SinkName)]
    public void Failure_after_the_answer_counts_as_a_failure_of_the_sink(string sink) =>
        OneMistake.Convicts(
            ["redundantDeadLetters"],
            sink,
            async (process, inner, received) =>
            {
                try
                {
                    await inner.WriteAsync(received, CancellationToken.None);
                    throw new InvalidOperationException("the counter of written events is not there");
                }
                catch (InvalidOperationException)
                {
                    await GivingUp.StoreAsync(process, inner, received);
                }
            }
        );

    [Fact]
    public void Retry_after_a_dead_letter_succeeds_and_the_dead_letter_stays() =>
        OneMistake.Convicts(
            ["redundantDeadLetters"],
            ServiceBusSink.SinkName,
            static async (process, inner, received) =>
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
    public void An_answer_after_600_ms_is_not_waited_for() => Trial.Convicts(["redundantDeadLetters"], schedule => WaitAsync(schedule, answer: 600, wait: 300));

    [Fact]
    public void An_answer_after_two_seconds_is_not_waited_for_it_is_clean() => Trial.Clears(schedule => WaitAsync(schedule, answer: 2_000, wait: 1_500));

    private static async Task<Verdict> WaitAsync(Schedule schedule, int answer, int wait)
    {
        var victim = schedule.Random.Next(40);
        var services = new RecordedServices(schedule, count: 40)
        {
            LateAnswer = TimeSpan.FromMilliseconds(answer),
            Effects = attempt => attempt.Place == Place.Queue && attempt.Sequence == victim ? Effect.AnsweredLate : Effect.None,
        };
        var process = services.Start();
        var answers = new List<Task>();
        await NaivePump.RunAsync(
            process,
            context => new CombinedStrategy(context),
            batch: 10,
            sink => new MistakenSink(
                sink,
                sink.Name == ServiceBusSink.SinkName ? victim : -1,
                async (inner, received) =>
                {
                    answers.Add(inner.WriteAsync(received, CancellationToken.None).AsTask());
                    await schedule.Clock.DelayAsync(TimeSpan.FromMilliseconds(wait), CancellationToken.None);
                    await GivingUp.StoreAsync(process, inner, received);
                }
            )
        );
        await Task.WhenAll(answers);
        return services.Judge();
    }
}
