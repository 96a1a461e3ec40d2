using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>What a connection needs of its options, on either side.</summary>
internal sealed record ConnectionSettings
{
    public required Open LocalOpen { get; init; }

    public required TimeSpan IdleTimeout { get; init; }

    public required TimeSpan OperationTimeout { get; init; }

    public required int WriteQueueLimit { get; init; }

    public required TimeSpan StalledPeerTimeout { get; init; }

    public required TimeProvider TimeProvider { get; init; }

    /// <summary>The largest message on links that were attached without a limit.</summary>
    public ulong MaxMessageSize { get; init; } = AmqpConnectionOptions.DefaultMaxMessageSize;

    /// <summary>Links that may be refused before the connection is closed. 0 for no limit.</summary>
    public int RefusalLimit { get; init; }

    /// <summary>The windows of sessions that the peer begins.</summary>
    public AmqpSessionOptions PeerSessions { get; init; } = new();

    /// <summary>Sees the frames. Null for no observer.</summary>
    public IFrameObserver? Frames { get; init; }

    /// <summary>Receives events of the links of a listener's connection. Null on a client's.</summary>
    public Action<ListenerNotice>? Notice { get; init; }

    public static ConnectionSettings Of(AmqpConnectionOptions options) =>
        new()
        {
            LocalOpen = new Open
            {
                ContainerId = options.ContainerId ?? Guid.NewGuid().ToString(),
                HostName = options.HostName ?? options.Host,
                MaxFrameSize = options.MaxFrameSize,
                ChannelMax = options.ChannelMax,
                IdleTimeout = (uint)options.IdleTimeout.TotalMilliseconds,
                Properties = options.Properties,
            },
            IdleTimeout = options.IdleTimeout,
            OperationTimeout = options.OperationTimeout,
            WriteQueueLimit = options.WriteQueueLimit,
            StalledPeerTimeout = options.StalledPeerTimeout,
            TimeProvider = options.TimeProvider,
            MaxMessageSize = options.MaxMessageSize,
        };

    public static ConnectionSettings Of(AmqpListenerOptions options) =>
        new()
        {
            LocalOpen = new Open
            {
                ContainerId = options.ContainerId ?? Guid.NewGuid().ToString(),
                MaxFrameSize = options.MaxFrameSize,
                ChannelMax = options.ChannelMax,
                IdleTimeout = (uint)options.IdleTimeout.TotalMilliseconds,
            },
            IdleTimeout = options.IdleTimeout,
            OperationTimeout = options.OperationTimeout,
            WriteQueueLimit = options.WriteQueueLimit,
            StalledPeerTimeout = options.StalledPeerTimeout,
            TimeProvider = options.TimeProvider,
            MaxMessageSize = options.MaxMessageSize,
            RefusalLimit = options.RefusalLimit,
            Notice = options.Notice,
            PeerSessions = new AmqpSessionOptions
            {
                IncomingWindow = options.SessionWindow,
                HandleMax = options.HandleMax,
                UnsettledLimit = options.UnsettledLimit,
            },
        };
}
