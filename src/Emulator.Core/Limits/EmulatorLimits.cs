using EventHubThroughput.Emulator.Endpoints;

namespace EventHubThroughput.Emulator.Limits;

/// <summary>How much a peer may ask of the emulator before it is refused or closed.</summary>
public sealed record EmulatorLimits
{
    public int FrameBytes { get; init; } = 65_536;

    public int HubMessageBytes { get; init; } = 1_048_576;

    public int QueueMessageBytes { get; init; } = 262_144;

    /// <summary>Of a batch for a queue or topic, which is never larger than a message either.</summary>
    public int BatchBytes { get; init; } = 1_048_576;

    /// <summary>Of a message for a queue or topic. A hub has no limit but that of the event.</summary>
    public int PropertiesBytes { get; init; } = 64 * 1024;

    /// <summary>Of one application property of such a message.</summary>
    public int PropertyBytes { get; init; } = 32 * 1024;

    /// <summary>Connections to each port for messaging.</summary>
    public int Connections { get; init; } = 4_096;

    /// <summary>Connections to the port for blobs.</summary>
    public int BlobConnections { get; init; } = 4_096;

    /// <summary>Connections to each port of the administration.</summary>
    public int AdminConnections { get; init; } = 256;

    /// <summary>Of a connection.</summary>
    public int Sessions { get; init; } = 256;

    /// <summary>Of a session.</summary>
    public int Links { get; init; } = 256;

    /// <summary>Deliveries that a peer has in a session and has not settled.</summary>
    public int Unsettled { get; init; } = 5_000;

    public TimeSpan Handshake { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Announced to peers. Twice as long without a frame closes a connection.</summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromSeconds(240);

    public TimeSpan StalledPeer { get; init; } = TimeSpan.FromSeconds(30);

    public int WriteQueueBytes { get; init; } = 8 * 1024 * 1024;

    /// <summary>Of the headers of an HTTP request.</summary>
    public int HeaderBytes { get; init; } = 32 * 1024;

    /// <summary>Of the body of one upload.</summary>
    public long UploadBytes { get; init; } = 256L * 1024 * 1024;

    /// <summary>Bytes a second. Bodies of HTTP that move slower for ten seconds end their connection.</summary>
    public int MinimumRate { get; init; } = 1_024;

    /// <summary>Logs, queues and blobs together.</summary>
    public long MemoryBytes { get; init; } = 1024L * 1024 * 1024;
}
