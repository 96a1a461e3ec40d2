using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Running;

/// <summary>An embedded run to which events are sent at a rate while it continues.</summary>
internal static class SenderProcess
{
    // Longer than the time that the sender gives to operations under way.
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan LookInterval = TimeSpan.FromMilliseconds(20);

    /// <summary>Sends when every partition is owned, so that no event waits for that. Ends when all of it is drained.</summary>
    public static async Task RunAsync(
        EmbeddedServices embedded,
        IMessagingClients clients,
        EventHubProcessing pump,
        int partitions,
        TimeProvider clock,
        CancellationToken stopped
    )
    {
        using (var look = new PeriodicTimer(LookInterval, clock))
        {
            while (pump.OwnedPartitions.Count < partitions)
            {
                await look.WaitForNextTickAsync(stopped);
            }
        }

        embedded.StartSending();
        try
        {
            await embedded.UntilSentAsync(stopped);
        }
        catch (FailureException failure)
        {
            await pump.FailAsync(failure.Message);
            return;
        }

        // Nothing more is sent: what is left is a backlog.
        var left = await Backlog.ReadAsync(clients, clock, acceptGap: true, stopped);
        await left.WaitAsync(static () => [], stopped);
    }

    /// <summary>Stops a sender that still sends: a run that ends early wants a whole ledger as well.</summary>
    /// <exception cref="FailureException">It has failed, or does not end.</exception>
    public static async Task StopAsync(EmbeddedServices embedded, TimeProvider clock)
    {
        using var limit = new CancellationTokenSource(StopLimit, clock);
        try
        {
            await embedded.StopSendingAsync(limit.Token);
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            throw new FailureException(FailureCause.Dependency, $"the sender did not end within {StopLimit.TotalSeconds:0} s");
        }
    }
}
