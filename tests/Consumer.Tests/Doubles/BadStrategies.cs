using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Tests.Doubles;

/// <summary>Writes only the first events of a batch and says that it is done.</summary>
internal sealed class ReturnsEarly(int written) : IProcessingStrategy
{
    public async Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch.Events.Take(written))
        {
            foreach (var sink in sinks)
            {
                await sink.WriteAsync(receivedEvent, cancellationToken);
            }
        }
    }
}

/// <summary>Takes a sink's exception for nothing.</summary>
internal sealed class SwallowsErrors : IProcessingStrategy
{
    public async Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch.Events)
        {
            foreach (var sink in sinks)
            {
                try
                {
                    await sink.WriteAsync(receivedEvent, cancellationToken);
                }
                catch (Exception)
                {
                    // The mistake.
                }
            }
        }
    }
}

/// <summary>Starts every write and waits for none.</summary>
internal sealed class FiresAndForgets : IProcessingStrategy
{
    public Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch.Events)
        {
            foreach (var sink in sinks)
            {
                _ = sink.WriteAsync(receivedEvent, cancellationToken).AsTask();
            }
        }

        return Task.CompletedTask;
    }
}

/// <summary>Writes to one sink only.</summary>
internal sealed class ForgetsASink : IProcessingStrategy
{
    public async Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch.Events)
        {
            await sinks[0].WriteAsync(receivedEvent, cancellationToken);
        }
    }
}

/// <summary>Has an error of its own in the middle of a batch.</summary>
internal sealed class ThrowsItself(long at) : IProcessingStrategy
{
    public async Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch.Events)
        {
            if (receivedEvent.SequenceNumber == at)
            {
                throw new InvalidOperationException("a bug");
            }

            foreach (var sink in sinks)
            {
                await sink.WriteAsync(receivedEvent, cancellationToken);
            }
        }
    }
}

/// <summary>Writes an event that it was never given.</summary>
internal sealed class InventsAnEvent(ReceivedEvent invented) : IProcessingStrategy
{
    public async Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken) =>
        await sinks[0].WriteAsync(invented, cancellationToken);
}

/// <summary>Writes a batch from its end to its beginning.</summary>
internal sealed class GoesBackwards : IProcessingStrategy
{
    public async Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch.Events.Reverse())
        {
            foreach (var sink in sinks)
            {
                await sink.WriteAsync(receivedEvent, cancellationToken);
            }
        }
    }
}

/// <summary>Says that it has drained while writes are still in flight.</summary>
internal sealed class ForgetsToDrain : IProcessingStrategy
{
    public Task ProcessAsync(EventBatch batch, IReadOnlyList<ISink> sinks, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch.Events)
        {
            _ = sinks[0].WriteAsync(receivedEvent, cancellationToken).AsTask();
        }

        return Task.CompletedTask;
    }
}
