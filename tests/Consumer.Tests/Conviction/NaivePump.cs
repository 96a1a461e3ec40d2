using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Sinks;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Tests.Conviction;

/// <summary>What a naive pump does wrong, once per batch or at one event.</summary>
internal enum Mistake
{
    None,
    ChecksFirst,
    DropsOneWrite,
    SwapsTwoBodies,
    WritesTwice,
}

/// <summary>A pump as in the article: writes the events, then stores the end of the batch, and asks nobody whether they arrived.</summary>
internal sealed class NaivePump(RecordedServices services, IProcessingStrategy strategy, Mistake mistake, long victim)
{
    public async Task RunAsync(int batchSize, CancellationToken cancellationToken)
    {
        ISink[] sinks =
        [
            new Erring(new ServiceBusSink(services, "hub"), mistake, victim),
            new Erring(new BlobSink(services.Archive, "hub"), mistake == Mistake.SwapsTwoBodies ? mistake : Mistake.None, victim),
        ];
        foreach (var batch in services.Batches(batchSize))
        {
            var end = new EventPosition(batch.Events[^1].SequenceNumber, batch.Events[^1].Offset);
            if (mistake == Mistake.ChecksFirst)
            {
                await services.CheckpointAsync(end, cancellationToken);
            }

            await strategy.ProcessAsync(batch, sinks, cancellationToken);
            if (mistake != Mistake.ChecksFirst)
            {
                await services.CheckpointAsync(end, cancellationToken);
            }
        }
    }

    private sealed class Erring(ISink inner, Mistake mistake, long victim) : ISink
    {
        private ReceivedEvent? other;

        public string Name => inner.Name;

        public async ValueTask<WriteOutcome> WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            switch (mistake)
            {
                case Mistake.DropsOneWrite when receivedEvent.SequenceNumber == victim:
                    return default;
                case Mistake.WritesTwice when receivedEvent.SequenceNumber == victim:
                    await inner.WriteAsync(receivedEvent, cancellationToken);
                    break;
                case Mistake.SwapsTwoBodies when receivedEvent.SequenceNumber == victim:
                    // Held back: the next event is written under its own name with this one's body, and the other way round.
                    other = receivedEvent;
                    return default;
                case Mistake.SwapsTwoBodies when other is { } held:
                    other = null;
                    await inner.WriteAsync(With(held, receivedEvent.Body), cancellationToken);
                    return await inner.WriteAsync(With(receivedEvent, held.Body), cancellationToken);
                default:
                    break;
            }

            return await inner.WriteAsync(receivedEvent, cancellationToken);
        }

        private static ReceivedEvent With(ReceivedEvent original, ReadOnlyMemory<byte> body) => new()
        {
            PartitionId = original.PartitionId,
            SequenceNumber = original.SequenceNumber,
            Offset = original.Offset,
            Body = body,
            ContentType = original.ContentType,
            EncodedProperties = original.EncodedProperties,
        };
    }
}
