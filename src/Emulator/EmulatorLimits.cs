namespace EventHubThroughput.Emulator;

/// <summary>How much a peer may ask of the emulator before it is refused or closed.</summary>
internal sealed record EmulatorLimits
{
    public int FrameBytes { get; init; } = 65_536;

    public int HubMessageBytes { get; init; } = 1_048_576;

    public int QueueMessageBytes { get; init; } = 262_144;

    public int BatchMessages { get; init; } = 4_500;

    public int PropertiesBytes { get; init; } = 64 * 1024;

    public int Connections { get; init; } = 4_096;

    /// <summary>Highest channel and handle numbers: 256 sessions a connection, 256 links a session.</summary>
    public int ChannelMaximum { get; init; } = 255;

    public int HandleMaximum { get; init; } = 255;

    public TimeSpan Handshake { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Announced to peers; twice as long without a frame closes a connection.</summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromSeconds(240);

    public TimeSpan StalledPeer { get; init; } = TimeSpan.FromSeconds(30);

    public int WriteQueueBytes { get; init; } = 8 * 1024 * 1024;

    /// <summary>Logs, queues and blobs, each group.</summary>
    public long MemoryBytes { get; init; } = 1024L * 1024 * 1024;
}
