using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies.Contract.Tests;

/// <content>The classes of those that need one.</content>
internal static partial class BrokenStrategies
{
    private sealed class Loop(
        StrategyContext context,
        Func<StrategyContext, IReadOnlyList<EventSlot>, CancellationToken, Task> dispatch,
        Func<StrategyContext, CancellationToken, Task>? drain = null
    ) : IProcessingStrategy
    {
        public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) => new(dispatch(context, batch, cancellationToken));

        public ValueTask DrainAsync(CancellationToken cancellationToken) => new(drain?.Invoke(context, cancellationToken) ?? Task.CompletedTask);
    }

    private sealed class Deaf(StrategyContext context) : IProcessingStrategy, IWriteWatcher
    {
        public void Noticed(in WriteNotice notice) => throw new NotSupportedException();

        public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) => new(InTurn(context, batch, cancellationToken));
    }

    // Events in turn, but none waits for one of which a try has failed.
    private sealed class OvertakesRetries(StrategyContext context) : IProcessingStrategy, IWriteWatcher
    {
        private TaskCompletionSource retried = new();

        public void Noticed(in WriteNotice notice) => retried.TrySetResult();

        public async ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            var writes = new List<Task>();
            foreach (var receivedEvent in batch)
            {
                retried = new TaskCompletionSource();
                writes.Add(InTurn(context, [receivedEvent], cancellationToken));
                await Task.WhenAny(writes[^1], retried.Task);
            }

            await Task.WhenAll(writes);
        }
    }

    // A worker that has ended keeps its place.
    private sealed class Tires(StrategyContext context) : IProcessingStrategy
    {
        private readonly Queue<EventSlot> waiting = [];
        private readonly List<Task> workers = [];

        public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            foreach (var receivedEvent in batch)
            {
                waiting.Enqueue(receivedEvent);
                if (workers.Count < context.MaxConcurrency)
                {
                    workers.Add(WorkAsync(cancellationToken));
                }
            }

            return ValueTask.CompletedTask;
        }

        public async ValueTask DrainAsync(CancellationToken cancellationToken) => await Task.WhenAll(workers);

        private async Task WorkAsync(CancellationToken cancellationToken)
        {
            while (waiting.TryDequeue(out var receivedEvent))
            {
                await InTurn(context, [receivedEvent], cancellationToken);
            }
        }
    }

    private sealed class Hoards(StrategyContext context) : IProcessingStrategy
    {
        private readonly List<IReadOnlyList<EventSlot>> held = [];

        public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken)
        {
            held.Add(batch);
            return ValueTask.CompletedTask;
        }

        public async ValueTask DrainAsync(CancellationToken cancellationToken)
        {
            foreach (var batch in held)
            {
                await InTurn(context, batch, cancellationToken);
            }
        }
    }

    private sealed class EndsOnce(StrategyContext context) : IProcessingStrategy, IAsyncDisposable
    {
        private bool ended;

        public ValueTask DispatchAsync(IReadOnlyList<EventSlot> batch, CancellationToken cancellationToken) => new(InTurn(context, batch, cancellationToken));

        public ValueTask DisposeAsync()
        {
            ObjectDisposedException.ThrowIf(ended, this);
            ended = true;
            return ValueTask.CompletedTask;
        }
    }
}
