namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>What an endpoint waits for before it answers, so that a run meets the delays and quotas of the profile in force.</summary>
internal interface ILatency
{
    /// <summary>Completes when the operation may take effect, or at once with the advice to come again later.</summary>
    ValueTask<Admission> ApplyAsync(EmulatedOperation operation, Load load, CancellationToken cancellationToken);

    /// <summary>The same for an operation on one thing whose size does not matter.</summary>
    ValueTask<Admission> ApplyAsync(EmulatedOperation operation, CancellationToken cancellationToken) => ApplyAsync(operation, Load.One, cancellationToken);
}

/// <summary>How much one operation moves: events or messages, and their bytes.</summary>
internal readonly record struct Load(int Count, long Bytes)
{
    public static Load One { get; } = new(1, 0);
}

/// <summary>Whether an operation may take effect; when not, for how long its client should stay away.</summary>
internal readonly record struct Admission(TimeSpan? BusyFor);
