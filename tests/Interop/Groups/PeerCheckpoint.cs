namespace EventHubThroughput.Interop;

/// <summary>A stored checkpoint as a peer's store reads it.</summary>
internal sealed record PeerCheckpoint(string Partition, long SequenceNumber, string? Offset);
