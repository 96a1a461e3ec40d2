namespace EventHubThroughput.Events;

/// <summary>The offset of a stored checkpoint.</summary>
internal static class StoredOffset
{
    /// <summary>What the official clients store instead of an offset when only the sequence number is known.</summary>
    public const string None = "no offset";

    /// <summary>Whether a stored text is not an offset.</summary>
    public static bool IsNone(string? stored) => string.IsNullOrWhiteSpace(stored) || stored.Equals(None, StringComparison.OrdinalIgnoreCase);
}
