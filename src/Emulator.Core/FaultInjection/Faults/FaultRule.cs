namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>Where a fault strikes, when, and what it does then.</summary>
public sealed record FaultRule
{
    /// <summary>As in the journal.</summary>
    public required string Name { get; init; }

    public required IReadOnlyList<FaultPoint> Points { get; init; }

    public required FaultAction Action { get; init; }

    // Whom it strikes. Null is everybody.
    public string? Service { get; init; }

    public string? Entity { get; init; }

    public string? Partition { get; init; }

    public string? Group { get; init; }

    /// <summary>One message id, blob name or offset: the same write is struck however often it is tried, alone or among others.</summary>
    public string? Detail { get; init; }

    /// <summary>Whether the first stroke chooses the detail, so that all others are of the same message.</summary>
    public bool StaysWithDetail { get; init; }

    // When. All that is given must hold.

    /// <summary>Share of the operations that match, drawn from the rule's own sequence.</summary>
    public double Probability { get; init; } = 1;

    /// <summary>Only every n-th that matches. 0 for each.</summary>
    public int Every { get; init; }

    /// <summary>Only the n-th that matches. 0 for each.</summary>
    public int Nth { get; init; }

    /// <summary>It strikes so often and no more. 0 for any number.</summary>
    public int Limit { get; init; }

    /// <summary>Seconds since the rule was armed.</summary>
    public double FromSeconds { get; init; }

    public double ToSeconds { get; init; } = double.PositiveInfinity;

    // How. By the action.

    public FaultReason Reason { get; init; } = FaultReason.Busy;

    /// <summary>For HTTP: instead of the reason's.</summary>
    public int? Status { get; init; }

    /// <summary>For HTTP: what the client is told to wait. Null says nothing.</summary>
    public double? RetryAfterSeconds { get; init; }

    /// <summary>Of a delay, a black hole, a time without credit.</summary>
    public double Milliseconds { get; init; }

    /// <summary>Bytes of the answer that still get through before a drop.</summary>
    public long AfterBytes { get; init; }

    public double BytesPerSecond { get; init; }

    /// <summary>Whether a lost answer takes the connection with it.</summary>
    public bool AndDrop { get; init; }

    public double SkewSeconds { get; init; }

    public TimeSpan Duration => TimeSpan.FromMilliseconds(Milliseconds);

    /// <summary>A black hole without a time lasts until somebody gives up.</summary>
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
