namespace EventHubThroughput.Lab.Measurement;

/// <summary>Consecutive events of one partition, the first that were handed over after the warm-up. Times are in milliseconds since the first was received.</summary>
internal sealed record SampledEvents
{
    /// <summary>Their partition.</summary>
    public required string Partition { get; init; }

    /// <summary>The events, in order.</summary>
    public required IReadOnlyList<SampledEvent> Events { get; init; }

    /// <summary>The checkpoint writes that ended in the meantime.</summary>
    public required IReadOnlyList<SampledSpan> Checkpoints { get; init; }
}

/// <summary>The times of one event. Null is after the end of the run.</summary>
internal sealed record SampledEvent
{
    /// <summary>Its sequence number.</summary>
    public required long Sequence { get; init; }

    /// <summary>When its batch was received.</summary>
    public required double ReceivedMs { get; init; }

    /// <summary>When it was handed to the strategy: window and replay limit had room for it.</summary>
    public required double HandedOverMs { get; init; }

    /// <summary>When its first write began.</summary>
    public double? BegunMs { get; init; }

    /// <summary>Its write to each sink that has acknowledged it, by the name of the sink.</summary>
    public required IReadOnlyDictionary<string, SampledSpan> Writes { get; init; }

    /// <summary>When every sink had it.</summary>
    public double? CompletedMs { get; init; }

    /// <summary>When its batch had ended, its checkpoint included. A strategy without a barrier ends a batch before its events are complete.</summary>
    public double? BatchEndedMs { get; init; }
}

/// <summary>A part of the time.</summary>
internal sealed record SampledSpan
{
    /// <summary>When it began. Negative if that was before the first event was received.</summary>
    public required double FromMs { get; init; }

    /// <summary>When it ended.</summary>
    public required double ToMs { get; init; }
}
