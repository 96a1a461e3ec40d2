using System.Collections.Concurrent;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Emulated;

/// <summary>Processors with one identifier: one after the other, which is a restart, and two at a time, which is a mistake.</summary>
public sealed class DuplicateIdentifierDetectorTests : EmulatedTests
{
    private const string Name = "same";

    [Fact(Timeout = Limit)]
    public async Task A_restart_takes_over_the_partitions_of_its_predecessor_immediately()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 3);
        List<string> said = [];
        var clients = services.CreateClients(notice: said.Add);
        for (var partition = 0; partition < 3; partition++)
        {
            Assert.NotNull(await clients.CheckpointStore.ClaimAsync($"{partition}", Name, null, Token));
        }

        // Neither the expiry nor a second cycle comes within the test.
        var heir = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Seldom(Name), heir.OpenHandler), heir);
        await heir.UntilAsync(static one => one.Open.Count == 3, Token);
        Assert.Empty(said);
    }

    [Fact(Timeout = Limit)]
    public async Task A_second_processor_of_the_same_name_is_passive_and_the_duplicate_name_is_logged_once()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 3);
        var said = new ConcurrentQueue<string>();
        var store = new WatchedStore(services.CreateClients().CheckpointStore);
        var first = new RecordingPartitions(checkpoints: true);
        await using var one = Running.Start(services.CreateClients(notice: said.Enqueue).CreateProcessor(Living(Name), first.OpenHandler, store), first);
        await first.UntilAsync(static one => one.Open.Count == 3, Token);

        // A handler exists before its link. One that came only now would take the partition back from the second, which then gives it up to any owner.
        for (var partition = 0; partition < 3; partition++)
        {
            await SendAsync(services.CreateClients(), $"{partition}", 1, "before");
        }

        await first.UntilCountAsync(3, Token);
        var second = new RecordingPartitions(checkpoints: true);
        var saidBySecond = new ConcurrentQueue<string>();

        // What the first renewed between the second's look and its claim it would keep, and each would be left what it has.
        await store.Claiming.WaitAsync(Token);
        await using var two = Running.Start(services.CreateClients(notice: saidBySecond.Enqueue).CreateProcessor(Living(Name), second.OpenHandler), second);
        await second.UntilAsync(static one => one.Open.Count == 3, Token);
        store.Claiming.Release();
        await first.UntilAsync(static one => one.Closed.Count == 3, Token);
        Assert.All(first.Closed, static closed => Assert.Equal(PartitionStopReason.OwnershipLost, closed.Reason));

        // Five further cycles of the one that has nothing, in which it used to take everything back.
        await store.UntilListedAsync(5, Token);
        await SendAsync(services.CreateClients(), null, 60);
        await second.UntilAsync(static one => one.Events.Count(static received => Text(received) != "before0") >= 60, Token);

        Assert.Equal(["before0", "before0", "before0"], first.Events.Select(Text));
        Assert.Equal(3, second.Opened.Count);
        Assert.StartsWith($"warning: another processor has the name '{Name}' and owns partition ", Assert.Single(said), StringComparison.Ordinal);
        Assert.Empty(saidBySecond);
    }

    [Fact(Timeout = Limit)]
    public async Task A_passive_processor_takes_over_when_the_other_one_of_its_name_has_ended()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 2);
        var first = new RecordingPartitions();
        await using var one = Running.Start(services.CreateClients().CreateProcessor(Living(Name), first.OpenHandler), first);
        await first.UntilAsync(static one => one.Open.Count == 2, Token);
        var second = new RecordingPartitions();
        await using var two = Running.Start(services.CreateClients().CreateProcessor(Living(Name), second.OpenHandler), second);
        await first.UntilAsync(static one => one.Closed.Count == 2, Token);

        await two.StopAsync();

        await first.UntilAsync(static one => one.Open.Count == 2, Token);
    }

    // Neither lets its claims expire on a busy machine. Any processor may take an expired claim, and the passive one would take it.
    private static EventHubProcessorOptions Living(string identifier) => Quick(identifier) with { OwnershipExpiry = TimeSpan.FromSeconds(120) };

    // Counts the looks at all ownerships, one in each cycle. It claims only while no test holds `Claiming`.
    private sealed class WatchedStore(ICheckpointStore inner) : ICheckpointStore
    {
        private readonly Lock gate = new();
        private int left = int.MaxValue;
        private TaskCompletionSource reached = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public SemaphoreSlim Claiming { get; } = new(1, 1);

        public Task UntilListedAsync(int times, CancellationToken cancellationToken)
        {
            lock (gate)
            {
                left = times;
                reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                return reached.Task.WaitAsync(cancellationToken);
            }
        }

        public Task<IReadOnlyList<Ownership>> ListOwnershipsAsync(CancellationToken cancellationToken)
        {
            lock (gate)
            {
                if (--left == 0)
                {
                    reached.SetResult();
                }
            }

            return inner.ListOwnershipsAsync(cancellationToken);
        }

        public async Task<Ownership?> ClaimAsync(string partitionId, string ownerId, string? etag, CancellationToken cancellationToken)
        {
            await Claiming.WaitAsync(cancellationToken);
            try
            {
                return await inner.ClaimAsync(partitionId, ownerId, etag, cancellationToken);
            }
            finally
            {
                Claiming.Release();
            }
        }

        public Task<Checkpoint?> ReadCheckpointAsync(string partitionId, CancellationToken cancellationToken) =>
            inner.ReadCheckpointAsync(partitionId, cancellationToken);

        public Task<Checkpoint> WriteCheckpointAsync(
            string partitionId,
            EventPosition position,
            string clientId,
            Checkpoint? previous,
            bool fenced,
            CancellationToken cancellationToken
        ) => inner.WriteCheckpointAsync(partitionId, position, clientId, previous, fenced, cancellationToken);
    }
}
