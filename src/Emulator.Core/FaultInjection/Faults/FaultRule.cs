namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>Where and when a fault strikes, and its effect.</summary>
public sealed record FaultRule
{
    /// <summary>The name in the journal.</summary>
    public required string Name { get; init; }

    public required IReadOnlyList<FaultPoint> Points { get; init; }

    public required FaultAction Action { get; init; }

    // The targets. Null means every target.
    public string? Service { get; init; }

    public string? Entity { get; init; }

    public string? Partition { get; init; }

    public string? Group { get; init; }

    /// <summary>One message id, blob name or offset. The same write is struck at each attempt, alone or in a batch.</summary>
    public string? Detail { get; init; }

    /// <summary>Whether the first strike chooses the detail, so that all further ones affect the same message.</summary>
    public bool StaysWithDetail { get; init; }

    // The conditions. All of those that are given must be true.

    /// <summary>The share of the matching operations, drawn from the sequence of the rule.</summary>
    public double Probability { get; init; } = 1;

    /// <summary>Strikes only every n-th match. 0 for each.</summary>
    public int Every { get; init; }

    /// <summary>Strikes only the n-th match. 0 for each.</summary>
    public int Nth { get; init; }

    /// <summary>The most strikes. 0 for any number.</summary>
    public int Limit { get; init; }

    /// <summary>Seconds since the rule was armed.</summary>
    public double FromSeconds { get; init; }

    public double ToSeconds { get; init; } = double.PositiveInfinity;

    // The parameters of the action.

    public FaultReason Reason { get; init; } = FaultReason.Busy;

    /// <summary>For HTTP: replaces the status of the reason.</summary>
    public int? Status { get; init; }

    /// <summary>For HTTP: the Retry-After value. Null sends none.</summary>
    public double? RetryAfterSeconds { get; init; }

    /// <summary>The time of a delay, a black hole, or a pause of credit.</summary>
    public double Milliseconds { get; init; }

    /// <summary>Bytes of the answer that are sent before a drop.</summary>
    public long AfterBytes { get; init; }

    public double BytesPerSecond { get; init; }

    /// <summary>Whether a lost answer also ends the connection.</summary>
    public bool AndDrop { get; init; }

    public double SkewSeconds { get; init; }

    public TimeSpan Duration => TimeSpan.FromMilliseconds(Milliseconds);

    /// <summary>The time of a black hole. Without a value it lasts until a peer gives up.</summary>
    public TimeSpan SilentFor => Milliseconds > 0 ? Duration : TimeSpan.FromHours(1);

    internal bool Strikes(FaultPoint point, in FaultTarget target) =>
        Points.Contains(point)
        && (Service is null || Service == target.Service)
        && Fits(Entity, target.Entity)
        && Fits(Partition, target.Partition)
        && Fits(Group, target.Group)
        && (Detail is null || target.Holds(Detail));

    private static bool Fits(string? wanted, string? there) => wanted is null || string.Equals(wanted, there, StringComparison.OrdinalIgnoreCase);
}
