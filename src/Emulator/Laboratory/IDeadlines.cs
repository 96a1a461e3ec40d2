namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>A clock that wakes: precise in the process, virtual in tests.</summary>
internal interface IDeadlines
{
    TimeProvider Clock { get; }

    /// <summary>What it has taken lately from telling that a deadline has come until a thread goes on: the time to wake one, and to get to what waits.</summary>
    TimeSpan Wake { get; }

    /// <summary>Completes at the timestamp of <see cref="Clock"/>, never before.</summary>
    ValueTask UntilAsync(long timestamp, CancellationToken cancellationToken);
}
