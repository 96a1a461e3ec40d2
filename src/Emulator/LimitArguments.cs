using System.CommandLine;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Emulator;

/// <summary>Options of the command line: the limits for clients.</summary>
internal sealed class LimitArguments
{
    private const int Mebibyte = 1_024 * 1_024;
    private const int Gibibyte = 1_024;

    private readonly Option<int> _connections = Options.Integer("--max-connections", "connections to each endpoint", 4_096, 1, 65_536);
    private readonly Option<int> _frame = Options.Integer("--max-frame", "largest AMQP frame, in bytes", 65_536, 512, Mebibyte);
    private readonly Option<int> _hubMessage = Options.Integer("--hub-message-limit", "largest event or batch, in bytes", Mebibyte, 1_024, 104_857_600);
    private readonly Option<int> _queueMessage = Options.Integer("--queue-message-limit", "largest message or batch, in bytes", 262_144, 1_024, 104_857_600);
    private readonly Option<int> _batch = Options.Integer(
        "--batch-limit",
        "largest Service Bus batch, in bytes, at most --queue-message-limit",
        Mebibyte,
        1_024,
        104_857_600
    );
    private readonly Option<int> _properties = Options.Integer(
        "--properties-limit",
        "application properties of a Service Bus message, in bytes",
        65_536,
        1_024,
        Mebibyte
    );
    private readonly Option<int> _property = Options.Integer("--property-limit", "one of these properties, in bytes", 32_768, 256, Mebibyte);
    private readonly Option<int> _sessions = Options.Integer("--max-sessions", "sessions of a connection", 256, 1, 65_536);
    private readonly Option<int> _links = Options.Integer("--max-links", "links of a session", 256, 1, 65_536);
    private readonly Option<int> _unsettled = Options.Integer("--max-unsettled", "deliveries of a session that its peer has not settled", 5_000, 1, 1_000_000);
    private readonly Option<int> _writeQueue = Options.Integer(
        "--write-queue-limit",
        "bytes that wait for a slow AMQP peer",
        8 * Mebibyte,
        65_536,
        1_024 * Mebibyte
    );
    private readonly Option<int> _header = Options.Integer("--header-limit", "headers of an HTTP request, in bytes", 32_768, 4_096, Mebibyte);
    private readonly Option<int> _upload = Options.Integer("--upload-limit", "body of one upload, in MiB", 256, 1, 5_000);
    private readonly Option<int> _minimumRate = Options.Integer(
        "--minimum-rate",
        "bytes a second. A slower body ends its connection after 10 s",
        1_024,
        1,
        Mebibyte
    );
    private readonly Option<int> _memory = Options.Integer(
        "--memory-limit",
        "memory of events, messages and blobs together, in MiB",
        Gibibyte,
        1,
        64 * Gibibyte
    );
    private readonly Option<TimeSpan> _handshake = Options.Duration(
        "--handshake-limit",
        "time for an AMQP handshake",
        TimeSpan.FromSeconds(10),
        TimeSpan.FromMilliseconds(100),
        TimeSpan.FromMinutes(5)
    );
    private readonly Option<TimeSpan> _idle = Options.Duration(
        "--idle-limit",
        "announced idle time. After twice this time a connection is closed",
        TimeSpan.FromSeconds(240),
        TimeSpan.FromSeconds(5),
        TimeSpan.FromHours(1)
    );
    private readonly Option<TimeSpan> _stalled = Options.Duration(
        "--stalled-limit",
        "time for a full write queue to move",
        TimeSpan.FromSeconds(30),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMinutes(10)
    );

    public void AddTo(RootCommand root)
    {
        Option[] all =
        [
            _connections,
            _sessions,
            _links,
            _unsettled,
            _frame,
            _hubMessage,
            _queueMessage,
            _batch,
            _properties,
            _property,
            _memory,
            _writeQueue,
            _handshake,
            _idle,
            _stalled,
            _header,
            _upload,
            _minimumRate,
        ];
        foreach (var option in all)
        {
            root.Options.Add(option);
        }
    }

    public EmulatorOptions Apply(ParseResult parsed, EmulatorOptions options)
    {
        var share = DescriptorShare.InForce;
        return options with
        {
            Limits = options.Limits with
            {
                Connections = Math.Min(parsed.GetValue(_connections), share.Messaging),
                BlobConnections = Math.Min(options.Limits.BlobConnections, share.Blobs),
                AdminConnections = Math.Min(options.Limits.AdminConnections, share.Administration),
                Sessions = parsed.GetValue(_sessions),
                Links = parsed.GetValue(_links),
                Unsettled = parsed.GetValue(_unsettled),
                FrameBytes = parsed.GetValue(_frame),
                HubMessageBytes = parsed.GetValue(_hubMessage),
                QueueMessageBytes = parsed.GetValue(_queueMessage),
                BatchBytes = parsed.GetValue(_batch),
                PropertiesBytes = parsed.GetValue(_properties),
                PropertyBytes = parsed.GetValue(_property),
                WriteQueueBytes = parsed.GetValue(_writeQueue),
                HeaderBytes = parsed.GetValue(_header),
                UploadBytes = parsed.GetValue(_upload) * (long)Mebibyte,
                MinimumRate = parsed.GetValue(_minimumRate),
                MemoryBytes = parsed.GetValue(_memory) * (long)Mebibyte,
                Handshake = parsed.GetValue(_handshake),
                Idle = parsed.GetValue(_idle),
                StalledPeer = parsed.GetValue(_stalled),
            },
        };
    }
}
