namespace EventHubThroughput.Interop;

/// <summary>An event that a consumer has read, and whose checkpoint it has stored.</summary>
internal sealed record Sighting(string Partition, long SequenceNumber, bool IsOurs);
