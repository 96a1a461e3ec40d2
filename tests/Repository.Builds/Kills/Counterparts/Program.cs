using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using Azure.Messaging.EventHubs.Processor;
using PumpedProcessor;

// The example PumpedProcessor as it is written without a pump, once for each practice. All of them lose events.
const int MaxConcurrency = 64;
var atMost = new ParallelOptions { MaxDegreeOfParallelism = MaxConcurrency };
var processor = ClientOfBlobs.FromEnvironment();
await using var writes = EventWrites.FromEnvironment();
processor.ProcessEventAsync += args[0] switch
{
    "each-event" => EachEvent(),
    "for-each-async" => ForEachAsync(),
    "newest-event" => NewestEvent(),
    _ => throw new ArgumentException($"'{args[0]}' is no practice: each-event, for-each-async, newest-event"),
};

var stop = new TaskCompletionSource();
using var signal = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context => context.Cancel = stop.TrySetResult());
await processor.StartProcessingAsync();
await stop.Task;
await processor.StopProcessingAsync();

// Each event has a task. The task stores the checkpoint of its event when it has handled that.
Func<ProcessEventArgs, Task> EachEvent()
{
    var free = new SemaphoreSlim(MaxConcurrency);
    return async args =>
    {
        if (!args.HasEvent)
        {
            return;
        }

        await free.WaitAsync(args.CancellationToken);
        _ = Task.Run(async () =>
        {
            await HandleAndStoreAsync(args, CancellationToken.None);
            free.Release();
        });
    };
}

// Gathers events (all that have come when no other comes for some time), and waits until all of them are handled. Each stores its checkpoint.
Func<ProcessEventArgs, Task> ForEachAsync() => Gather(batch => Parallel.ForEachAsync(batch, atMost, HandleAndStoreAsync));

// Gathers events, begins to handle them, and stores the checkpoint of the newest so that reading does not wait.
Func<ProcessEventArgs, Task> NewestEvent() =>
    Gather(async batch =>
    {
        _ = Parallel.ForEachAsync(batch, atMost, writes.HandleAsync);
        await batch[^1].UpdateCheckpointAsync();
    });

Func<ProcessEventArgs, Task> Gather(Func<IReadOnlyList<ProcessEventArgs>, Task> handleAsync)
{
    var gathered = new ConcurrentDictionary<string, List<ProcessEventArgs>>();
    return async args =>
    {
        var batch = gathered.GetOrAdd(args.Partition.PartitionId, _ => []);
        if (args.HasEvent)
        {
            batch.Add(args);
        }

        if (batch.Count == MaxConcurrency || (batch.Count > 0 && !args.HasEvent))
        {
            gathered[args.Partition.PartitionId] = [];
            await handleAsync(batch);
        }
    };
}

async ValueTask HandleAndStoreAsync(ProcessEventArgs args, CancellationToken cancellationToken)
{
    await writes.HandleAsync(args, cancellationToken);
    await args.UpdateCheckpointAsync(CancellationToken.None);
}
