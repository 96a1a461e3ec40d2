namespace EventHubThroughput.Lab.Supervision;

/// <summary>The reason why an owner lost a partition.</summary>
internal enum Departure
{
    /// <summary>It released the partition.</summary>
    Left,

    /// <summary>It died.</summary>
    Died,

    /// <summary>It lives. An owner with fewer partitions took the partition.</summary>
    Robbed,
}

/// <summary>A change of owner of one partition, by the times of the journal.</summary>
/// <param name="Departure">How the old owner lost it.</param>
/// <param name="Claimed">
/// From the release of one that left, or the last renewal of one that died, until the claim of the new owner. Nothing for one robbed.
/// </param>
/// <param name="FirstEvent">From the same moment, or the claim itself, until the new owner's first event. Null when it had none.</param>
internal sealed record Handover(Departure Departure, TimeSpan Claimed, TimeSpan? FirstEvent);
