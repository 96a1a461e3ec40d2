namespace EventHubThroughput.Amqp;

/// <summary>How one delivery is sent.</summary>
public readonly record struct OutgoingTransfer
{
    /// <summary>The message's format. 0 is a plain AMQP message.</summary>
    public uint MessageFormat { get; init; }

    /// <summary>True to expect no outcome. The link's settle mode overrides it.</summary>
    public bool Settled { get; init; }

    /// <summary>The delivery-tag, at most 32 bytes. When empty the link numbers its deliveries in four little-endian bytes.</summary>
    public ReadOnlyMemory<byte> Tag { get; init; }

    /// <summary>True when the outcome is not needed immediately.</summary>
    public bool Batchable { get; init; }
}
