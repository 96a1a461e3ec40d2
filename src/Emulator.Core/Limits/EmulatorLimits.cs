using EventHubThroughput.Emulator.Endpoints;

namespace EventHubThroughput.Emulator.Limits;

/// <summary>The limits for a client, beyond which it is refused or disconnected.</summary>
public sealed record EmulatorLimits
{
    public int FrameBytes { get; init; } = 65_536;

    public int HubMessageBytes { get; init; } = 1_048_576;

    public int QueueMessageBytes { get; init; } = 262_144;

    /// <summary>Bytes of a batch for a queue or topic. A batch is never larger than the largest message.</summary>
    public int BatchBytes { get; init; } = 1_048_576;

    /// <summary>Bytes of the properties of a message for a queue or topic. A hub limits only the whole event.</summary>
    public int PropertiesBytes { get; init; } = 64 * 1024;

    /// <summary>Bytes of one application property of such a message.</summary>
    public int PropertyBytes { get; init; } = 32 * 1024;

    /// <summary>Connections to each messaging port.</summary>
    public int Connections { get; init; } = 4_096;

    /// <summary>Connections to the blob port.</summary>
    public int BlobConnections { get; init; } = 4_096;

    /// <summary>Connections to each port of the administration.</summary>
    public int AdminConnections { get; init; } = 256;

    /// <summary>Sessions of a connection.</summary>
    public int Sessions { get; init; } = 256;

    /// <summary>Links of a session.</summary>
    public int Links { get; init; } = 256;

    /// <summary>Unsettled deliveries of a peer in a session.</summary>
    public int Unsettled { get; init; } = 5_000;

    public TimeSpan Handshake { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The idle time announced to peers. A connection without a frame for twice this time is closed.</summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromSeconds(240);

    public TimeSpan StalledPeer { get; init; } = TimeSpan.FromSeconds(30);

    public int WriteQueueBytes { get; init; } = 8 * 1024 * 1024;

    /// <summary>Bytes of the headers of an HTTP request.</summary>
    public int HeaderBytes { get; init; } = 32 * 1024;

    /// <summary>Bytes of the body of one upload.</summary>
    public long UploadBytes { get; init; } = 256L * 1024 * 1024;

    /// <summary>Bytes a second. An HTTP body that is slower for ten seconds ends its connection.</summary>
    public int MinimumRate { get; init; } = 1_024;

    /// <summary>Bytes of logs, queues and blobs together.</summary>
    public long MemoryBytes { get; init; } = 1024L * 1024 * 1024;
}
