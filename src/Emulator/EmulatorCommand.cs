using System.CommandLine;
using System.Net;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.Laboratory;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator;

/// <summary>The command line: options to settings, settings to a running emulator, until it is asked to stop.</summary>
internal sealed class EmulatorCommand
{
    private const int LargestPort = 65_535;
    private const int Gibibyte = 1_024;

    private readonly CommandConsole _console;
    private readonly StopRequest _stop;

    private readonly Option<string> _host = Options.TextOr("--host", "address to listen on", "127.0.0.1", "ADDRESS");
    private readonly Option<bool> _allowRemote = Options.Flag("--allow-remote", "allow a --host that other machines can reach");
    private readonly Option<int> _eventHubsPort = Options.Integer("--eventhubs-port", "port of Event Hubs; 0 takes a free one", 0, 0, LargestPort);
    private readonly Option<int> _serviceBusPort = Options.Integer("--servicebus-port", "port of Service Bus; 0 takes a free one", 0, 0, LargestPort);
    private readonly Option<int> _blobPort = Options.Integer("--blob-port", "port of Blob Storage; 0 takes a free one", 0, 0, LargestPort);
    private readonly Option<int> _adminPort = Options.Integer("--admin-port", "port of the administration over HTTP; 0 takes a free one", 0, 0, LargestPort);
    private readonly Option<string> _hub = Options.TextOr("--hub", "event hub to create", "hub", "NAME");
    private readonly Option<int> _partitions = Options.Integer("--partitions", "its partitions", 4, 1, 1_024);
    private readonly Option<IReadOnlyList<string>> _groups = Options.List("--consumer-groups", "its consumer groups", ["$Default"]);
    private readonly Option<string> _queue = Options.TextOr("--queue", "queue to create", "queue", "NAME");
    private readonly Option<TimeSpan> _lockDuration = Options.Duration("--lock-duration", "how long its messages are locked", TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(5));
    private readonly Option<int> _deliveries = Options.Integer("--max-delivery-count", "deliveries before a message becomes a dead letter", 10, 1, 2_000);
    private readonly Option<IReadOnlyList<string>> _containers = Options.List("--containers", "blob containers to create: archive, checkpoints, dead letters", ["archive", "checkpoints", "deadletters"]);
    private readonly Option<string> _profile = Options.Choice("--profile", "latency profile", "none", LatencyProfiles.Names);
    private readonly Option<int> _seed = Options.Integer("--seed", "seed of the profile's draws", 1, 0, int.MaxValue);
    private readonly Option<string?> _journal = Options.Text("--journal", "file that records what really happened", "FILE");
    private readonly Option<IReadOnlyList<string>> _journalProperties = Options.List("--journal-properties", "application properties whose values are recorded", []);
    private readonly Option<bool> _exitWithInput = Options.Flag("--exit-with-stdin", "end when standard input closes; signals are ignored");
    private readonly Option<string> _print = Options.Choice("--print", "form of the settings on standard output", "json", ["json", "env"]);
    private readonly Option<bool> _allowAnonymous = Options.Flag("--allow-anonymous", "accept clients without tokens and signatures");
    private readonly Option<string?> _keyFile = Options.Text("--key-file", "file with the access key (base64, mode 0600); random when not given", "FILE");
    private readonly Option<int> _connections = Options.Integer("--max-connections", "connections to each endpoint", 4_096, 1, 65_536);
    private readonly Option<int> _frame = Options.Integer("--max-frame", "largest AMQP frame, in bytes", 65_536, 512, 1_048_576);
    private readonly Option<int> _hubMessage = Options.Integer("--hub-message-limit", "largest event or batch, in bytes", 1_048_576, 1_024, 104_857_600);
    private readonly Option<int> _queueMessage = Options.Integer("--queue-message-limit", "largest message or batch, in bytes", 262_144, 1_024, 104_857_600);
    private readonly Option<int> _batch = Options.Integer("--batch-limit", "messages in a batch", 4_500, 1, 65_536);
    private readonly Option<int> _properties = Options.Integer("--properties-limit", "application properties of a message, in bytes", 65_536, 1_024, 1_048_576);
    private readonly Option<int> _memory = Options.Integer("--memory-limit", "memory of logs and queues, and of blobs, in MiB each", Gibibyte, 1, 64 * Gibibyte);
    private readonly Option<TimeSpan> _handshake = Options.Duration("--handshake-limit", "time for an AMQP handshake", TimeSpan.FromSeconds(10), TimeSpan.FromMilliseconds(100), TimeSpan.FromMinutes(5));
    private readonly Option<TimeSpan> _idle = Options.Duration("--idle-limit", "announced idle time; twice as long closes a connection", TimeSpan.FromSeconds(240), TimeSpan.FromSeconds(5), TimeSpan.FromHours(1));
    private readonly Option<TimeSpan> _stalled = Options.Duration("--stalled-limit", "time for a full write queue to move", TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(10));

    public EmulatorCommand(CommandConsole console, StopRequest stop)
    {
        _console = console;
        _stop = stop;
        Root = new RootCommand("Event Hubs, Service Bus and Blob Storage on loopback, for any client in any language.")
        {
            _host, _allowRemote, _eventHubsPort, _serviceBusPort, _blobPort, _adminPort, _hub, _partitions, _groups, _queue, _lockDuration, _deliveries,
            _containers, _profile, _seed, _journal, _journalProperties, _exitWithInput, _print, _allowAnonymous, _keyFile, _connections,
            _frame, _hubMessage, _queueMessage, _batch, _properties, _memory, _handshake, _idle, _stalled,
        };

        // A validator sees null where an option was not given; the defaults need no check.
        Root.Check(result => result.GetValue(_host) is { } host ? HostProblem(host, result.GetValue(_allowRemote), result.GetValue(_allowAnonymous)) : null);
        Root.Check(result => result.GetValue(_hub) is { } hub ? EmulatedName.Problem(_hub.Name, hub) : null);
        Root.Check(result => result.GetValue(_queue) is { } queue ? EmulatedName.Problem(_queue.Name, queue) : null);
        Root.Check(result => result.GetValue(_groups) is { } groups ? EmulatedName.ListProblem(_groups.Name, groups, EmulatedName.IsGroup, "not a name of a consumer group") : null);
        Root.Check(result => result.GetValue(_containers) is { } containers
            ? EmulatedName.ListProblem(_containers.Name, containers, BlobNames.IsContainer, "not a container name, allowed are 3 to 63 lower-case letters, digits and single '-'")
            : null);
        Root.SetAction(RunAsync);
    }

    public RootCommand Root { get; }

    private static string? HostProblem(string host, bool allowRemote, bool allowAnonymous)
    {
        if (!IPAddress.TryParse(host, out var address))
        {
            return $"--host '{host}': not an IP address, write 127.0.0.1 or ::1";
        }

        if (IPAddress.IsLoopback(address))
        {
            return null;
        }

        return (allowRemote, allowAnonymous) switch
        {
            (false, _) => $"--host '{host}': opens the emulator to other machines, add --allow-remote if that is meant",
            (_, true) => $"--allow-anonymous: not with --host '{host}', authentication is always on there",
            _ => null,
        };
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        var options = OptionsOf(parsed);
        await using var host = await EmulatorHost.StartAsync(options, cancellationToken);
        if (!IPAddress.IsLoopback(options.Host))
        {
            await _console.Error.WriteLineAsync($"warning: other machines can reach this emulator on {options.Host}");
        }

        var settings = parsed.GetValue(_print) == "env" ? EmulatorSettings.ToExports(host.Settings) : EmulatorSettings.ToJson(host.Settings);
        await _console.Output.WriteLineAsync(settings);
        await _console.Output.FlushAsync(cancellationToken);
        await _console.Error.WriteLineAsync(
            $"emulator ready: hub '{options.Hub}' with {options.Partitions} partitions, queue '{options.Queue}', profile '{options.Profile.Name}', "
            + (options.JournalPath is null ? "memory mode (no journal)" : $"journal {options.JournalPath}"));
        await _stop.WaitAsync(parsed.GetValue(_exitWithInput), cancellationToken);
        foreach (var row in host.Observed)
        {
            await _console.Error.WriteLineAsync(
                $"latency of {row.Operation}: asked mean {row.AskedMeanMilliseconds:0.00} ms, observed {row.MeanMilliseconds:0.00} ms (sd {row.DeviationMilliseconds:0.00}, n {row.Count})");
        }

        return 0;
    }

    private EmulatorOptions OptionsOf(ParseResult parsed) => new()
    {
        Host = IPAddress.Parse(parsed.GetValue(_host)!),
        EventHubsPort = parsed.GetValue(_eventHubsPort),
        ServiceBusPort = parsed.GetValue(_serviceBusPort),
        BlobPort = parsed.GetValue(_blobPort),
        AdminPort = parsed.GetValue(_adminPort),
        Hub = parsed.GetValue(_hub)!,
        Partitions = parsed.GetValue(_partitions),
        ConsumerGroups = parsed.GetValue(_groups)!,
        Queue = parsed.GetValue(_queue)!,
        QueueOptions = new MessageQueueOptions { LockDuration = parsed.GetValue(_lockDuration), MaximumDeliveryCount = parsed.GetValue(_deliveries) },
        Containers = parsed.GetValue(_containers)!,
        Profile = LatencyProfiles.Named(parsed.GetValue(_profile)!),
        Seed = parsed.GetValue(_seed),
        JournalPath = parsed.GetValue(_journal),
        JournalProperties = parsed.GetValue(_journalProperties)!,
        AllowAnonymous = parsed.GetValue(_allowAnonymous),
        Key = parsed.GetValue(_keyFile) is { } file ? KeyFile.Read(file) : null,
        Limits = new EmulatorLimits
        {
            Connections = parsed.GetValue(_connections),
            FrameBytes = parsed.GetValue(_frame),
            HubMessageBytes = parsed.GetValue(_hubMessage),
            QueueMessageBytes = parsed.GetValue(_queueMessage),
            BatchMessages = parsed.GetValue(_batch),
            PropertiesBytes = parsed.GetValue(_properties),
            MemoryBytes = parsed.GetValue(_memory) * 1024L * 1024,
            Handshake = parsed.GetValue(_handshake),
            Idle = parsed.GetValue(_idle),
            StalledPeer = parsed.GetValue(_stalled),
        },
    };
}
