using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Stores a checkpoint that is beyond what is complete.</summary>
public sealed class StoresWrongPositionsTests
{
    private static readonly string[] Ahead = ["checkpointAhead"];

    [Fact]
    public void The_event_to_begin_with_in_place_of_the_last_one_that_is_complete() =>
        Convicts(Ahead, static (services, batch) => PositionAt(services, batch.Events[^1].SequenceNumber + 1));

    [Fact]
    public void The_offset_of_what_was_requested_ahead() =>
        Convicts(Ahead, static (services, batch) => NaivePump.GetEnd(batch) with { Offset = PositionAt(services, batch.Events[^1].SequenceNumber + 5).Offset });

    [Fact]
    public void The_sequence_number_of_what_was_requested_ahead() =>
        Convicts(
            Ahead,
            static (services, batch) =>
                NaivePump.GetEnd(batch) with
                {
                    SequenceNumber = PositionAt(services, batch.Events[^1].SequenceNumber + 5).SequenceNumber,
                }
        );

    [Fact]
    public void A_checkpoint_at_the_end_of_the_partition_is_convicted() =>
        Trial.Convicts(
            ["lost", "checkpointAhead"],
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                var process = services.Start();
                using var ownership = process.Take();
                await NaivePump.WriteAsync(process, ownership.Batches(10).First());
                await ownership.CheckpointAsync(PositionAt(services, 39), CancellationToken.None);
                return services.Judge();
            }
        );

    [Fact]
    public void The_newest_event_that_is_complete_although_older_ones_are_not() =>
        Trial.Convicts(
            Ahead,
            schedule =>
                RunAsync(
                    schedule,
                    async (process, ownership, batch) =>
                    {
                        var newest = -1L;
                        await Task.WhenAll(
                            batch
                                .Events.Select(async received =>
                                {
                                    await NaivePump.WriteAsync(process, new EventBatch(batch.PartitionId, [received]));
                                    newest = Math.Max(newest, received.SequenceNumber);
                                })
                                .Append(StoreAsync())
                        );

                        async Task StoreAsync()
                        {
                            // One checkpoint at a time, each above the one before.
                            for (var last = batch.Events[0].SequenceNumber - 1; last < batch.Events[^1].SequenceNumber; )
                            {
                                await schedule.PauseAsync(1, CancellationToken.None);
                                if (newest > last)
                                {
                                    last = newest;
                                    await ownership.CheckpointAsync(PositionAt(process.Services, last), CancellationToken.None);
                                }
                            }
                        }
                    }
                )
        );

    [Fact]
    public void A_checkpoint_of_each_complete_event_without_regard_to_earlier_ones_is_convicted() =>
        Trial.Convicts(
            ["checkpointAhead", "checkpointRegressionWithin"],
            schedule =>
                RunAsync(
                    schedule,
                    async (process, ownership, batch) =>
                    {
                        await Task.WhenAll(
                            batch.Events.Select(async received =>
                            {
                                await NaivePump.WriteAsync(process, new EventBatch(batch.PartitionId, [received]));
                                await ownership.CheckpointAsync(NaivePump.GetPosition(received), CancellationToken.None);
                            })
                        );
                        await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
                    }
                )
        );

    [Fact]
    public void The_end_of_a_batch_whose_blobs_are_written_later() =>
        Trial.Convicts(
            Ahead,
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                var archived = new List<Task>();
                await NaivePump.RunAsync(
                    services.Start(),
                    context => new CombinedStrategy(context),
                    batch: 10,
                    sink => sink.Name == BlobSink.SinkName ? new WritesLater(sink, schedule.Clock, archived) : sink
                );
                await Task.WhenAll(archived);
                return services.Judge();
            }
        );

    [Fact]
    public void The_end_of_a_batch_whose_dead_letter_is_stored_later() =>
        Trial.Convicts(
            Ahead,
            async schedule =>
            {
                var stored = new List<Task>();
                var (services, _) = await GivingUp.RunAsync(
                    schedule,
                    (process, sink, received) =>
                    {
                        stored.Add(StoreLaterAsync(process, sink, received));
                        return Task.CompletedTask;
                    }
                );
                await Task.WhenAll(stored);
                return services.Judge();

                async Task StoreLaterAsync(RecordedProcess process, ISink<ReceivedEvent> sink, ReceivedEvent received)
                {
                    await schedule.Clock.DelayAsync(TimeSpan.FromSeconds(1), CancellationToken.None);
                    await GivingUp.StoreAsync(process, sink, received);
                }
            }
        );

    [Fact]
    public void Storing_positions_delivered_to_a_former_owner_is_convicted() =>
        Trial.Convicts(
            Ahead,
            async schedule =>
            {
                var services = new RecordedServices(schedule, count: 40);
                var first = services.Start();
                services.Claim(first.Client);
                using var left = first.Take(fenced: false, reader: first.Client);
                var given = left.Batches(10, prefetches: true).Take(2).ToList();
                await NaivePump.WriteAsync(first, given[0]);
                await left.CheckpointAsync(NaivePump.GetEnd(given[0]), CancellationToken.None);

                var second = services.Start();
                services.Claim(second.Client);
                using var ownership = second.Take(fenced: false, reader: second.Client);
                foreach (var batch in ownership.Batches(10))
                {
                    if (batch.Events[0].SequenceNumber == given[1].Events[0].SequenceNumber)
                    {
                        // The first owner ends with the last event that it was given, which it has left to the second.
                        await left.CheckpointAsync(NaivePump.GetEnd(given[1]), CancellationToken.None);
                    }

                    await NaivePump.WriteAsync(second, batch);
                    await ownership.CheckpointAsync(NaivePump.GetEnd(batch), CancellationToken.None);
                }

                return services.Judge();
            }
        );

    private static void Convicts(string[] charges, Func<RecordedServices, EventBatch, EventPosition> position) =>
        Trial.Convicts(
            charges,
            schedule =>
                RunAsync(
                    schedule,
                    async (process, ownership, batch) =>
                    {
                        // The last batch ends as it should, so that the run is complete.
                        await NaivePump.WriteAsync(process, batch);
                        var isLast = batch.Events[^1].SequenceNumber == process.Services.Events[^1].SequenceNumber;
                        await ownership.CheckpointAsync(isLast ? NaivePump.GetEnd(batch) : position(process.Services, batch), CancellationToken.None);
                    }
                )
        );

    private static async Task<Verdict> RunAsync(Schedule schedule, Func<RecordedProcess, RecordedOwnership, EventBatch, Task> process)
    {
        var services = new RecordedServices(schedule, count: 40)
        {
            // One event of each batch takes longer than the others.
            Effects = static attempt => attempt.Place == Place.Queue && attempt.Sequence % 10 == 3 ? Effect.Slow : Effect.None,
        };
        var consumer = services.Start();
        using var ownership = consumer.Take(fenced: false);
        foreach (var batch in ownership.Batches(10))
        {
            await process(consumer, ownership, batch);
        }

        return services.Judge();
    }

    private static EventPosition PositionAt(RecordedServices services, long sequence) => NaivePump.GetPosition(services.Events[(int)sequence]);

    private sealed class WritesLater(ISink<ReceivedEvent> inner, VirtualClock clock, List<Task> writes) : ISink<ReceivedEvent>
    {
        public string Name => inner.Name;

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            writes.Add(WriteLaterAsync(receivedEvent));
            return ValueTask.CompletedTask;
        }

        private async Task WriteLaterAsync(ReceivedEvent receivedEvent)
        {
            await clock.DelayAsync(TimeSpan.FromSeconds(1), CancellationToken.None);
            await inner.WriteAsync(receivedEvent, CancellationToken.None);
        }
    }
}
