namespace EventHubThroughput.Events;

/// <summary>The offset as a checkpoint holds it.</summary>
internal static class StoredOffset
{
    /// <summary>What the official clients store in its place where they know the sequence number alone.</summary>
    public const string None = "no offset";

    /// <summary>Whether a stored text says nothing of the offset.</summary>
    public static bool IsNone(string? stored) => string.IsNullOrWhiteSpace(stored) || stored.Equals(None, StringComparison.OrdinalIgnoreCase);
}
