using EventHubThroughput.Clients;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Sends messages again when a connection is cut, although their answers had arrived, or more often than once.</summary>
public sealed class RepeatsAfterACutTests
{
    [Fact]
    public void Sending_again_what_was_answered_long_before_the_cut_is_convicted() =>
        Convicts(
            async (process, batch, clock) =>
            {
                await NaivePump.WriteAsync(process, batch);
                await clock.DelayAsync(TimeSpan.FromSeconds(5), CancellationToken.None);
                process.Cut();
                await SendAsync(process, batch);
            }
        );

    [Fact]
    public void Sending_again_what_was_answered_long_before_a_restart_is_convicted() =>
        Convicts(
            async (process, batch, clock) =>
            {
                await NaivePump.WriteAsync(process, batch);
                await clock.DelayAsync(TimeSpan.FromSeconds(5), CancellationToken.None);
                process.Services.Restart();
                await SendAsync(process, batch);
            }
        );

    [Fact]
    public void Sending_again_what_used_an_uncut_connection_is_convicted() =>
        Convicts(
            async (process, batch, _) =>
            {
                // A pool of two connections, of which each takes half of the batch.
                var other = process.Services.Start();
                await NaivePump.WriteAsync(process, Half(batch, 0));
                await NaivePump.WriteAsync(other, Half(batch, 1));
                other.Cut();
                await SendAsync(process, Half(batch, 0));
            }
        );

    [Fact]
    public void Sending_an_answered_message_again_before_the_cut_is_convicted() =>
        Convicts(
            async (process, batch, _) =>
            {
                await NaivePump.WriteAsync(process, batch);
                await SendAsync(process, batch);
                process.Cut();
            }
        );

    [Fact]
    public void Sending_an_unanswered_message_again_twice_is_convicted() =>
        Convicts(
            async (process, batch, clock) =>
            {
                await CutBeforeTheAnswerAsync(process, batch, clock);
                await NaivePump.WriteAsync(process, batch);
                await SendAsync(process, batch);
            }
        );

    [Fact]
    public void Sending_answered_and_unanswered_messages_again_is_convicted() =>
        Convicts(
            async (process, batch, clock) =>
            {
                await NaivePump.WriteAsync(process, Half(batch, 0));
                await clock.DelayAsync(TimeSpan.FromSeconds(5), CancellationToken.None);
                await CutBeforeTheAnswerAsync(process, Half(batch, 1), clock);
                await NaivePump.WriteAsync(process, batch);
            }
        );

    [Fact]
    public void Sending_an_unanswered_message_again_once_is_clean() =>
        Trial.Clears(schedule =>
            RunAsync(
                schedule,
                async (process, batch, clock) =>
                {
                    await CutBeforeTheAnswerAsync(process, batch, clock);
                    await NaivePump.WriteAsync(process, batch);
                }
            )
        );

    [Fact]
    public void Sending_again_what_was_answered_right_before_the_cut_is_clean() =>
        Trial.Clears(schedule =>
            RunAsync(
                schedule,
                async (process, batch, _) =>
                {
                    await NaivePump.WriteAsync(process, batch);
                    process.Cut();
                    await SendAsync(process, batch);
                }
            )
        );

    private static void Convicts(Func<RecordedProcess, EventBatch, VirtualClock, Task> write) =>
        Trial.Convicts(["duplicateServiceBus"], schedule => RunAsync(schedule, write));

    private static async Task<Verdict> RunAsync(Schedule schedule, Func<RecordedProcess, EventBatch, VirtualClock, Task> write)
    {
        var services = new RecordedServices(schedule, count: 40);
        var process = services.Start();
        var at = schedule.Random.Next(4);
        using var ownership = process.Take(fenced: false);
        foreach (var batch in ownership.Batches(10))
        {
            await (at-- == 0 ? write(process, batch, schedule.Clock) : NaivePump.WriteAsync(process, batch));
            await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
        }

        return services.Judge();
    }

    private static async Task SendAsync(RecordedProcess process, EventBatch batch)
    {
        var queue = new ServiceBusSink(process.Queue, RecordedServices.Hub);
        foreach (var received in batch.Events)
        {
            await queue.WriteAsync(received, CancellationToken.None);
        }
    }

    // The messages are stored, their answers come later, and the connection lives for half of that time.
    private static async Task CutBeforeTheAnswerAsync(RecordedProcess process, EventBatch batch, VirtualClock clock)
    {
        process.Services.Effects = attempt => attempt.Place == Place.Queue ? Effect.AnsweredLate : Effect.None;
        var writing = NaivePump.WriteAsync(process, batch);
        await clock.DelayAsync(process.Services.LateAnswer / 2, CancellationToken.None);
        process.Cut();
        await Assert.ThrowsAsync<MessagingException>(() => writing);
        process.Services.Effects = static _ => Effect.None;
    }

    private static EventBatch Half(EventBatch batch, int which) => new(batch.PartitionId, [.. batch.Events.Chunk(batch.Events.Count / 2).ElementAt(which)]);
}
