using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Pump.Checkpointing;
using EventHubThroughput.Pump.Retrying;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Interleaving;

/// <summary>The writer and its lock alone, with more callers than the pump ever has.</summary>
public sealed class CheckpointWriterScheduleTests
{
    [Fact]
    public void Flush_flush_and_stop() =>
        Schedules.Explore(async schedule =>
        {
            const int events = 20;
            var watermark = new EventTracker(1, TimeProvider.System);
            Assert.True(watermark.TryHandOver(Some.Batch(events).Events, out _));
            var (inside, stored, stopped) = (0, new List<long>(), false);
            var writer = new CheckpointWriter(watermark, StoreAsync, new RetryRule { Jitter = schedule.Random.NextDouble }, schedule.Clock);

            var callers = new List<Task<FlushResult>>();
            for (var sequence = 0; sequence < events; sequence++)
            {
                watermark.Acknowledge(sequence, 0);
                callers.Add(writer.FlushAsync(CancellationToken.None));
                await schedule.PauseAsync(3, CancellationToken.None);
            }

            if (schedule.Random.Next(2) == 0)
            {
                stopped = true;
                writer.Stop();
            }

            var results = await Task.WhenAll(callers);
            Assert.True(stored.Zip(stored.Skip(1)).All(pair => pair.First < pair.Second));
            Assert.Equal(stored.LastOrDefault(-1) + 1, writer.ConfirmedPassed);
            if (!stopped)
            {
                Assert.All(results, result => Assert.Equal(FlushResult.Confirmed, result));
                Assert.Equal(events - 1, stored[^1]);
            }

            async Task StoreAsync(EventPosition position, CancellationToken cancellationToken)
            {
                Assert.Equal(1, ++inside);
                try
                {
                    await schedule.PauseAsync(10, cancellationToken);
                    if (schedule.Random.Next(3) == 0)
                    {
                        throw new MessagingException(FailureKind.Transient, "refused");
                    }

                    stored.Add(position.SequenceNumber);
                }
                finally
                {
                    inside--;
                }
            }
        });

    [Fact]
    public void Enter_leave_and_cancel() =>
        Schedules.Explore(async schedule =>
        {
            var fifo = new SharedLimit(1);
            var inside = 0;
            var (entered, refused) = (0, 0);
            await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => PassAsync()).ToList());

            Assert.Equal(8, entered + refused);

            // No cancelled caller has used up a turn.
            using var now = new CancellationTokenSource(TimeSpan.FromMilliseconds(1), schedule.Clock);
            await fifo.EnterAsync(now.Token);

            async Task PassAsync()
            {
                using var timeout = new CancellationTokenSource(TimeSpan.FromMilliseconds(schedule.Random.Next(1, 30)), schedule.Clock);
                await schedule.PauseAsync(5, CancellationToken.None);
                try
                {
                    await fifo.EnterAsync(timeout.Token);
                }
                catch (OperationCanceledException)
                {
                    refused++;
                    return;
                }

                Assert.Equal(1, ++inside);
                await schedule.PauseAsync(10, CancellationToken.None);
                inside--;
                entered++;
                fifo.Leave();
            }
        });
}
