using System.Collections.Concurrent;
using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Primitives;
using Azure.Messaging.EventHubs.Producer;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Pump.Azure.Tests;

/// <summary>A pump under the package's processor, over the wire to an emulator in this process.</summary>
public sealed class PumpUnderProcessorTests
{
    private const int Limit = 120_000;
    private const int Partitions = 2;
    private const int Events = 400;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = Limit)]
    public async Task Stop_stores_what_is_complete_and_the_next_processor_handles_the_rest_once()
    {
        await using var emulator = await EmulatorHost.StartAsync(
            new EmulatorOptions { Entities = EntitySet.Default with { Hubs = [new HubSettings("hub") { Partitions = Partitions }] } },
            Token
        );
        var connection = emulator.Settings["EVENTHUB_CONNECTION_STRING"];
        await SendAsync(connection);
        var store = new MemoryCheckpointStore();
        var handled = new ConcurrentDictionary<string, int>(StringComparer.Ordinal);

        // The first events are in flight, and others wait for the window, when the processor stops.
        var closing = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await ConsumeAsync(connection, store, handled, closing, enoughBegun: Partitions, enoughHandled: null);
        var first = handled.Keys.ToLookup(static one => one[..1]);
        Assert.All(first, partition => Assert.Equal(partition.Count() - 1, store.Checkpoints[partition.Key]));
        Assert.InRange(handled.Count, Partitions, Events - Partitions);

        await ConsumeAsync(connection, store, handled, closing, enoughBegun: null, enoughHandled: Events);
        Assert.All(handled.Values, static times => Assert.Equal(1, times));
        Assert.All(store.Checkpoints.Values, static last => Assert.Equal((Events / Partitions) - 1, last));
    }

    private static async Task ConsumeAsync(
        string connection,
        MemoryCheckpointStore store,
        ConcurrentDictionary<string, int> handled,
        TaskCompletionSource closing,
        int? enoughBegun,
        int? enoughHandled
    )
    {
        var (begun, enough) = (0, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        async ValueTask HandleAsync(EventData one, CancellationToken cancellationToken)
        {
            if (Interlocked.Increment(ref begun) == enoughBegun)
            {
                enough.TrySetResult();
            }

            await closing.Task.WaitAsync(cancellationToken);
            handled.AddOrUpdate(one.EventBody.ToString(), 1, static (_, times) => times + 1);
            if (handled.Count == enoughHandled)
            {
                enough.TrySetResult();
            }
        }

        await using var pump = EventPump.ByKey<EventData>(one => one.PartitionKey, maxConcurrency: 16, HandleAsync);
        var options = new EventProcessorOptions { LoadBalancingUpdateInterval = TimeSpan.FromMilliseconds(100) };
        var processor = new ProcessorClient(store, connection, options);
        processor.ProcessEventAsync += pump.AcceptAsync;
        processor.PartitionClosingAsync += pump.CloseAsync;
        processor.PartitionClosingAsync += _ => Task.FromResult(closing.TrySetResult());
        await processor.StartProcessingAsync(Token);
        await enough.Task.WaitAsync(Token);
        await processor.StopProcessingAsync(Token);

        Assert.Empty(processor.Errors);
    }

    private static async Task SendAsync(string connection)
    {
        await using var producer = new EventHubProducerClient(connection, "hub");
        for (var partition = 0; partition < Partitions; partition++)
        {
            var events = Enumerable.Range(0, Events / Partitions).Select(number => new EventData($"{partition}/{number}"));
            await producer.SendAsync(events, new SendEventOptions { PartitionId = $"{partition}" }, Token);
        }
    }
}
