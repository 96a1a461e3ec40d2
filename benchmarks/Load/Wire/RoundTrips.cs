namespace EventHubThroughput.Load.Wire;

/// <summary>A fixed number of requests and replies between two processes of the same library.</summary>
internal static class RoundTrips
{
    /// <summary>Measures after a tenth of the number, which is not counted.</summary>
    public static async Task<(FamilyRound Sender, FamilyRound Listener)> MeasureAsync(
        string library,
        int lanes,
        int count,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        await using var listener = await WireListenerProcess.StartAsync(library, clock, cancellationToken);
        await using var requester = WireRows.Libraries[library].Request();
        await requester.ConnectAsync(listener.Port, cancellationToken);
        await RunAsync(requester, lanes, count / 10, cancellationToken);

        var (listenerBefore, before, began) = (await listener.SpentAsync(cancellationToken), WireSpent.Now, clock.GetTimestamp());
        await RunAsync(requester, lanes, count, cancellationToken);
        var (took, spent) = (clock.GetElapsedTime(began), WireSpent.Now - before);
        return (spent.For(count, took), (await listener.SpentAsync(cancellationToken) - listenerBefore).For(count, took));
    }

    private static Task RunAsync(IWireSender requester, int lanes, int count, CancellationToken cancellationToken)
    {
        var left = count;
        return Task.WhenAll(
            Enumerable
                .Range(0, lanes)
                .Select(async _ =>
                {
                    while (Interlocked.Decrement(ref left) >= 0)
                    {
                        await requester.SendAsync(cancellationToken);
                    }
                })
        );
    }
}
