namespace EventHubThroughput.Verification.Reading;

/// <summary>One reader's link on one partition.</summary>
/// <param name="found">The lowest checkpoint that it may have found before it began to read.</param>
/// <param name="owner">The owner in its name. Null when that is not known.</param>
/// <param name="first">The first event that it may receive.</param>
/// <param name="isRecorded">Whether its attach is in the journal. Older journals show a reader only by its deliveries.</param>
internal sealed class ReaderLink(long found, string? owner, long first, bool isRecorded)
{
    public long Found { get; } = found;

    public string? Owner { get; } = owner;

    public bool IsRecorded { get; } = isRecorded;

    /// <summary>Whether it keeps its checkpoints in another store, and so finds none of the verified ones.</summary>
    public bool IsForeign { get; init; }

    /// <summary>The last event that it received. Below the first one until then.</summary>
    public long Last { get; set; } = first - 1;

    /// <summary>Its incarnation, from its first event on.</summary>
    public int? Incarnation { get; set; }
}
