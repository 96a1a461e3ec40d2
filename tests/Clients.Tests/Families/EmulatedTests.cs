using System.Text;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>What the tests against the emulator have in common.</summary>
public abstract class EmulatedTests
{
    /// <summary>Ends a test that hangs. The limit is far above the need of any test.</summary>
    protected const int Limit = 120_000;

    private protected static CancellationToken Token => TestContext.Current.CancellationToken;

    private protected static EventHubProcessorOptions Quick(string identifier, int prefetch = 300) =>
        new()
        {
            Identifier = identifier,
            Prefetch = prefetch,
            BatchSize = 10,
            BalancingInterval = TimeSpan.FromMilliseconds(200),
            OwnershipExpiry = TimeSpan.FromSeconds(3),
            UnreachableLimit = TimeSpan.FromSeconds(20),
        };

    /// <summary>Cycles of balancing so far apart that none comes within a test but the first.</summary>
    private protected static EventHubProcessorOptions Seldom(string identifier) =>
        Quick(identifier) with
        {
            BalancingInterval = TimeSpan.FromSeconds(60),
            OwnershipExpiry = TimeSpan.FromSeconds(120),
        };

    /// <summary>A separate store that no other processor reads, so that a claim in it takes links only.</summary>
    private protected static ICheckpointStore StoreApart(BuiltInClients clients) =>
        new BlobCheckpointStore(clients.GetBlobContainer("archive"), clients.GetBlobContainer("archive"), "elsewhere", "hub", "$Default", TimeProvider.System);

    /// <summary>Sends events with bodies <c>{prefix}{number}</c>, a batch at a time.</summary>
    private protected static async Task SendAsync(BuiltInClients clients, string? partitionId, int count, string prefix = "e", int first = 0)
    {
        await using var writer = clients.CreateEventHubWriter();
        var sent = 0;
        while (sent < count)
        {
            var batch = await writer.CreateBatchAsync(null, partitionId, Token);
            while (sent < count && batch.Count < 25 && batch.TryAdd(Event($"{prefix}{first + sent}")))
            {
                sent++;
            }

            await writer.SendAsync(batch, Token);
        }
    }

    private protected static OutgoingEvent Event(string body) => new() { Body = Encoding.UTF8.GetBytes(body) };

    private protected static string Text(ReceivedEvent one) => Encoding.UTF8.GetString(one.Body.Span);

    /// <summary>Asserts that an action fails with this kind and message, and that the failure does not show the key of the tests.</summary>
    private protected static async Task FailsAsync(FailureKind kind, string message, Func<Task> action)
    {
        var failure = await Assert.ThrowsAsync<MessagingException>(action);
        Assert.Equal(message, failure.Message);
        Assert.Equal(kind, failure.Kind);
        Assert.DoesNotContain("Y2FuYXJ5", failure.ToString(), StringComparison.Ordinal);
    }

    /// <summary>Runs a processor beside the test and stops it when disposed.</summary>
    private protected sealed class Running(IEventHubProcessor processor) : IAsyncDisposable
    {
        private readonly CancellationTokenSource stop = new();
        private Task? task;

        public IEventHubProcessor Processor => processor;

        public Task Task => task!;

        public static Running Start(IEventHubProcessor processor, RecordingPartitions recorder)
        {
            var running = new Running(processor);
            running.task = running.RunAsync(recorder);
            return running;
        }

        public async Task StopAsync()
        {
            await stop.CancelAsync();
            await Task;
        }

        // A caller that waits for the recorder gets the failure of the processor.
        private async Task RunAsync(RecordingPartitions recorder)
        {
            try
            {
                await processor.RunAsync(stop.Token);
            }
            catch (Exception exception)
            {
                recorder.Fail(exception);
                throw;
            }
        }

        public async ValueTask DisposeAsync()
        {
            await stop.CancelAsync();
            await Task.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            stop.Dispose();
        }
    }
}
