using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>Writes only the first events of a batch and reports that it is done.</summary>
internal sealed class ReturnsEarly(StrategyContext context, int written) : IProcessingStrategy
{
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch.Take(written))
        {
            foreach (var sink in context.Sinks)
            {
                await sink.WriteAsync(receivedEvent, cancellationToken);
            }
        }
    }
}

/// <summary>Takes a sink's exception for nothing.</summary>
internal sealed class SwallowsErrors(StrategyContext context) : IProcessingStrategy
{
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch)
        {
            foreach (var sink in context.Sinks)
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
internal sealed class FiresAndForgets(StrategyContext context) : IProcessingStrategy
{
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch)
        {
            foreach (var sink in context.Sinks)
            {
                _ = sink.WriteAsync(receivedEvent, cancellationToken).AsTask();
            }
        }

        return ValueTask.CompletedTask;
    }
}

/// <summary>Writes to one sink only.</summary>
internal sealed class ForgetsASink(StrategyContext context) : IProcessingStrategy
{
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch)
        {
            await context.Sinks[0].WriteAsync(receivedEvent, cancellationToken);
        }
    }
}

/// <summary>Throws a separate error in the middle of a batch.</summary>
internal sealed class ThrowsItself(StrategyContext context, long at) : IProcessingStrategy
{
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch)
        {
            if (receivedEvent.SequenceNumber == at)
            {
                throw new InvalidOperationException("a bug");
            }

            foreach (var sink in context.Sinks)
            {
                await sink.WriteAsync(receivedEvent, cancellationToken);
            }
        }
    }
}

/// <summary>Writes an event that it was never given.</summary>
internal sealed class InventsAnEvent(StrategyContext context, EventSlot invented) : IProcessingStrategy
{
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) =>
        await context.Sinks[0].WriteAsync(invented, cancellationToken);
}

/// <summary>Writes a batch from its end to its beginning.</summary>
internal sealed class GoesBackwards(StrategyContext context) : IProcessingStrategy
{
    public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch.Reverse())
        {
            foreach (var sink in context.Sinks)
            {
                await sink.WriteAsync(receivedEvent, cancellationToken);
            }
        }
    }
}

/// <summary>Reports that it has drained while writes are still in flight.</summary>
internal sealed class ForgetsToDrain(StrategyContext context) : IProcessingStrategy
{
    public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
    {
        foreach (var receivedEvent in batch)
        {
            _ = context.Sinks[0].WriteAsync(receivedEvent, cancellationToken).AsTask();
        }

        return ValueTask.CompletedTask;
    }
}
