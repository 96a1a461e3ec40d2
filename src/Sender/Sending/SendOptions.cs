namespace EventHubThroughput.Sender.Sending;

/// <summary>How a source's events are sent.</summary>
internal sealed record SendOptions
{
    /// <summary>The run that the stamps and the ledger name.</summary>
    public required string Run { get; init; }

    /// <summary>Events per second from a time on, open loop. Null: as fast as they are taken.</summary>
    public IReadOnlyList<(double PerSecond, TimeSpan From)>? Rates { get; init; }

    /// <summary>Leaves the gathering of batches to the client.</summary>
    public bool IsBuffered { get; init; }

    /// <summary>Most events in one send.</summary>
    public int Batch { get; init; } = 100;

    /// <summary>The partition that all events go to. Null leaves that to their keys or to the hub.</summary>
    public string? Partition { get; init; }

    /// <summary>Sends in flight at once. Events of one key are never in two of them.</summary>
    public int Lanes { get; init; } = 8;

    /// <summary>How long what the client has buffered may take after the last event.</summary>
    public TimeSpan FlushLimit { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>How long sends that are under way may go on after the run was asked to stop.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(10);
}
