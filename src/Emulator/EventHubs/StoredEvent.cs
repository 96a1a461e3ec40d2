namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>
/// One event of a partition, encoded once for all readers: <c>[header][everything else]</c>. A reader that asks for delivery
/// annotations gets them between the two.
/// </summary>
internal sealed record StoredEvent(long Sequence, long EnqueuedMilliseconds, ReadOnlyMemory<byte> Encoded, int HeaderLength)
{
    public ReadOnlyMemory<byte> Header => Encoded[..HeaderLength];

    public ReadOnlyMemory<byte> Rest => Encoded[HeaderLength..];

    /// <summary>Opaque to clients; here the sequence number's text.</summary>
    public string Offset => Positions.OffsetOf(Sequence);
}
