namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>A clock that wakes: precise in the process, virtual in tests.</summary>
internal interface IDeadlines
{
    TimeProvider Clock { get; }

    /// <summary>Completes at the timestamp of <see cref="Clock"/>, never before.</summary>
    ValueTask UntilAsync(long timestamp, CancellationToken cancellationToken);
}
