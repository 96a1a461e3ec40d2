namespace EventHubThroughput.Sender.Sending;

internal sealed record SendOptions
{
    /// <summary>The run that the stamps and the ledger name.</summary>
    public required string Run { get; init; }

    /// <summary>Events per second from a time on, open loop. Null sends as fast as the hub accepts.</summary>
    public IReadOnlyList<(double PerSecond, TimeSpan From)>? Rates { get; init; }

    /// <summary>Whether the client gathers the batches.</summary>
    public bool IsBuffered { get; init; }

    /// <summary>Most events in one send.</summary>
    public int Batch { get; init; } = 100;

    /// <summary>The partition of all events. If null, their keys or the hub decide.</summary>
    public string? Partition { get; init; }

    /// <summary>Concurrent sends. Events of one key are never in two of them.</summary>
    public int Lanes { get; init; } = 8;

    /// <summary>How long the client may take to send its buffer after the last event.</summary>
    public TimeSpan FlushLimit { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>How long sends in flight may continue after the run was asked to stop.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(10);
}
