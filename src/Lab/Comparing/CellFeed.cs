using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Sends to a cell's hub at the rate of the plan, from when its consumer owns every partition: no event waits for that.</summary>
internal sealed class CellFeed(ComparisonPlan plan, Cell cell, CellHub hub, ICellServices services, TimeProvider clock) : IAsyncDisposable
{
    private static readonly TimeSpan LookInterval = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(20);

    private ChildProcess? sender;

    /// <summary>Waits for the owner, then sends. Ends when sending has begun.</summary>
    /// <param name="cancellationToken">Cancels the operation, for example when the consumer has ended.</param>
    public async Task BeginAsync(CancellationToken cancellationToken)
    {
        var settings = services.GetSettings(cell, hub);
        await using (var clients = services.Clients.Connect(settings, new ClientOptions { TimeProvider = clock }))
        {
            using var look = new PeriodicTimer(LookInterval, clock);
            while ((await clients.CheckpointStore.ListOwnershipsAsync(cancellationToken)).Count(IsOwned) < cell.ComparedConfiguration.Partitions)
            {
                await look.WaitForNextTickAsync(cancellationToken);
            }
        }

        var load = EmbeddedLoad.Of(plan.Load) with { Events = (int)Math.Min(int.MaxValue, plan.MostSent) };
        var variables = new Dictionary<string, string>([.. services.GetVariables(cell, hub), .. plan.Log.Variables], StringComparer.Ordinal);
        sender = EmbeddedSender.Start(hub.Sender, load, hub.Ledger, variables, clock);
    }

    /// <summary>Stops the sender, so that the ledger is whole, and returns its figures. Null where no event was sent.</summary>
    public async Task<SentFigures?> EndAsync()
    {
        if (sender is null)
        {
            return null;
        }

        using var limit = new CancellationTokenSource(StopLimit, clock);
        return sender.Ended.IsCompleted ? await EmbeddedSender.WaitAsync(sender, limit.Token) : await EmbeddedSender.StopAsync(sender, limit.Token);
    }

    public ValueTask DisposeAsync() => sender?.DisposeAsync() ?? ValueTask.CompletedTask;

    private static bool IsOwned(Ownership ownership) => ownership.OwnerId.Length > 0;
}
