namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>A processor of messages: receives, forwards and completes them, several concurrently. Each family of clients has one.</summary>
internal interface IForwarder : IAsyncDisposable
{
    /// <summary>The counts since its start.</summary>
    ForwarderCounts Counts { get; }

    /// <summary>Runs until it is stopped. Messages in progress are finished.</summary>
    Task RunAsync(CancellationToken stop);
}

/// <summary>What a forwarder has done.</summary>
/// <param name="Forwarded">Messages sent to the target.</param>
/// <param name="Completed">Of those, the ones that were removed from the source.</param>
/// <param name="LocksLost">Messages whose lock had expired when they were settled.</param>
/// <param name="Abandoned">Messages given back.</param>
/// <param name="MostHandling">The most messages at one time.</param>
internal readonly record struct ForwarderCounts(long Forwarded, long Completed, long LocksLost, long Abandoned, int MostHandling);
