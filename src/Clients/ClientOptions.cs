namespace EventHubThroughput.Clients;

/// <summary>What every family of clients is told.</summary>
public record ClientOptions
{
    /// <summary>How operations are tried again.</summary>
    public RetryOptions Retry { get; init; } = new();

    /// <summary>
    /// How writes to Service Bus, to the containers and of checkpoints are tried again; null as everything else. A caller who repeats
    /// them himself takes <see cref="RetryOptions.Once"/>: two layers would multiply.
    /// </summary>
    public RetryOptions? Writes { get; init; }

    /// <summary>
    /// Told how far messages and writes of blobs have come, from any thread; must not block. Null, the default, costs nothing.
    /// </summary>
    public Action<OperationStep>? Observer { get; init; }

    /// <summary>Told by every answer of storage what it proves about its clock, from any thread; must not block. Null, the default, costs nothing.</summary>
    public Action<ClockDifference>? StorageClockRead { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
