namespace EventHubThroughput.Clients.EventHubs;

/// <summary>The partition to read, the start, and the sizes.</summary>
internal sealed record PartitionReceiverOptions
{
    public required string Hub { get; init; }

    public required string ConsumerGroup { get; init; }

    public required string PartitionId { get; init; }

    /// <summary>The name of this reader that the service shows.</summary>
    public required string Identifier { get; init; }

    /// <summary>The selector expression of the first link. Later ones resume after the last event.</summary>
    public required string Start { get; init; }

    /// <summary>The start in words, for messages.</summary>
    public required string Place { get; init; }

    /// <summary>The owner level. Null reads concurrently with others.</summary>
    public long? Epoch { get; init; }

    public required int BatchSize { get; init; }

    public required int Prefetch { get; init; }

    public required TimeSpan BuildInterval { get; init; }

    /// <summary>How long reading may fail before it throws.</summary>
    public required TimeSpan UnreachableLimit { get; init; }
}
