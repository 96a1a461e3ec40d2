namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>A named set of latencies.</summary>
internal sealed record LatencyProfile(string Name)
{
    public LatencyLaw MessageSend { get; init; } = LatencyLaw.Zero;

    public LatencyLaw BlobWrite { get; init; } = LatencyLaw.Zero;

    public LatencyLaw CheckpointWrite { get; init; } = LatencyLaw.Zero;

    public LatencyLaw Receive { get; init; } = LatencyLaw.Zero;

    public LatencyLaw Of(EmulatedOperation operation) => operation switch
    {
        EmulatedOperation.MessageSend => MessageSend,
        EmulatedOperation.BlobWrite => BlobWrite,
        EmulatedOperation.CheckpointWrite => CheckpointWrite,
        EmulatedOperation.Receive => Receive,
        _ => LatencyLaw.Zero,
    };
}
