using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Amqp;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Emulator.Administration;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.Journalling;
using EventHubThroughput.Emulator.Laboratory;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator;

/// <summary>A running emulator: Event Hubs, Service Bus and blobs, each on its own port.</summary>
internal sealed class EmulatorHost : IAsyncDisposable
{
    private readonly CancellationTokenSource _stopping = new();
    private readonly DeadlineQueue _deadlines = new();
    private readonly LatencyLaboratory _laboratory;
    private readonly JournalWriter? _journal;

    // Set while starting; what is set is disposed.
    private AmqpListener? _eventHubs;
    private AmqpListener? _serviceBus;
    private BlobService? _blobs;
    private AdminEndpoint? _admin;
    private bool _disposed;

    private EmulatorHost(EmulatorOptions options, JournalWriter? journal)
    {
        Options = options;
        _laboratory = new LatencyLaboratory(options.Profile, options.Seed, _deadlines);
        Budget = new Storage.MemoryBudget(options.Limits.MemoryBytes);
        Queues = new ServiceBusRegistry(Budget, options.TimeProvider);
        foreach (var queue in options.Entities.Queues)
        {
            Queues.CreateQueue(queue);
        }

        foreach (var topic in options.Entities.Topics)
        {
            Queues.CreateTopic(topic);
        }

        Hubs = new EventHubRegistry(Budget, options.TimeProvider);
        foreach (var hub in options.Entities.Hubs)
        {
            Hubs.Create(hub);
        }

        _journal = journal;
    }

    public EmulatorOptions Options { get; }

    public EventHubRegistry Hubs { get; }

    /// <summary>The first of each, which the settings name.</summary>
    public EventHub Hub => Hubs.Find(Options.Entities.Hubs[0].Name)!;

    public MessageQueue Queue => Queues.FindQueue(Options.Entities.Queues[0].Name)!;

    public ServiceBusRegistry Queues { get; }

    public Storage.MemoryBudget Budget { get; }

    /// <summary>Asked and observed latencies of the operations that occurred.</summary>
    public IReadOnlyList<ObservedLatency> Observed => _laboratory.Observed;

    /// <summary>Connection strings and names, under the names of the environment variables that clients read.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; private set; } = new Dictionary<string, string>();

    /// <exception cref="ExitException">A port is in use, or the journal cannot be written.</exception>
    public static async Task<EmulatorHost> StartAsync(EmulatorOptions options, CancellationToken cancellationToken)
    {
        var host = new EmulatorHost(options, options.JournalPath is null ? null : OpenJournal(options.JournalPath));
        try
        {
            await host.StartEndpointsAsync(options.Key ?? AccessKey.CreateRandom(), cancellationToken);
            return host;
        }
        catch
        {
            await host.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_disposed)
        {
            return;
        }

        _disposed = true;
        await _stopping.CancelAsync();
        if (_admin is not null)
        {
            await _admin.DisposeAsync();
        }

        if (_eventHubs is not null)
        {
            await _eventHubs.DisposeAsync();
        }

        if (_serviceBus is not null)
        {
            await _serviceBus.DisposeAsync();
        }

        if (_blobs is not null)
        {
            await _blobs.DisposeAsync();
        }

        Hubs.Dispose();
        Queues.Dispose();

        _deadlines.Dispose();
        _journal?.Dispose();
        _stopping.Dispose();
    }

    private async Task StartEndpointsAsync(AccessKey key, CancellationToken cancellationToken)
    {
        var context = new EndpointContext
        {
            Key = key,
            AllowAnonymous = Options.AllowAnonymous,
            Limits = Options.Limits,
            Journal = new EmulatorJournal(_journal, Options.JournalProperties),
            Laboratory = _laboratory,
            Budget = Budget,
            Clock = Options.TimeProvider,
            Stopping = _stopping.Token,
        };
        var hubs = new EventHubsLinks(Hubs);
        var queues = new ServiceBusLinks(Queues);
        _eventHubs = Listen("--eventhubs-port", Options.EventHubsPort, "eventhubs", hubs, context);
        _serviceBus = Listen("--servicebus-port", Options.ServiceBusPort, "servicebus", queues, context);
        PortProbe.Check("--blob-port", Options.Host, Options.BlobPort);
        _blobs = await BlobService.StartAsync(
            new BlobServiceOptions
            {
                Address = Options.Host,
                Port = Options.BlobPort,
                Key = key.Decode(),
                Containers = Options.Entities.Containers,
                Latency = _laboratory.CreateLatency(),
                Journal = _journal,
                AllowAnonymous = Options.AllowAnonymous,
                TimeProvider = Options.TimeProvider,
                Budget = Budget,
            },
            cancellationToken);
        PortProbe.Check("--admin-port", Options.Host, Options.AdminPort);
        _admin = await AdminEndpoint.StartAsync(
            new AdminEndpointOptions
            {
                Address = Options.Host,
                Port = Options.AdminPort,
                Key = key,
                AllowAnonymous = Options.AllowAnonymous,
                TimeProvider = Options.TimeProvider,
            },
            CreateAdminRoutes(),
            cancellationToken);
        Settings = Describe(key);
    }

    // One line for each group of paths.
    private static AdminRoutes CreateAdminRoutes()
    {
        var routes = new AdminRoutes();
        HealthRoutes.AddTo(routes);
        return routes;
    }

    private AmqpListener Listen(string option, int port, string containerId, IServiceLinks links, EndpointContext context)
    {
        PortProbe.Check(option, Options.Host, port);
        var limits = Options.Limits;
        try
        {
            return AmqpListener.Start(
                new AmqpListenerOptions
                {
                    Address = Options.Host,
                    Port = port,
                    ContainerId = containerId,
                    MaxFrameSize = (uint)limits.FrameBytes,
                    ChannelMax = (ushort)limits.ChannelMaximum,
                    HandleMax = (uint)limits.HandleMaximum,
                    IdleTimeout = limits.Idle,
                    HandshakeTimeout = limits.Handshake,
                    StalledPeerTimeout = limits.StalledPeer,
                    MaxConnections = limits.Connections,
                    WriteQueueLimit = limits.WriteQueueBytes,
                    MaxMessageSize = (ulong)limits.HubMessageBytes,
                    TimeProvider = Options.TimeProvider,

                    // Without name and password a peer is let in and shows tokens later; wrong ones are refused at once.
                    Authenticate = identity => Options.AllowAnonymous || identity.Password is null || context.Key.Matches(identity.UserName ?? string.Empty, identity.Password),
                },
                connection => new PeerConnection(connection, links, context));
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.AddressAlreadyInUse)
        {
            throw PortProbe.InUse(option, port, exception);
        }
    }

    private Dictionary<string, string> Describe(AccessKey key)
    {
        var credentials = $"SharedAccessKeyName={AccessKey.Name};SharedAccessKey={key.Reveal()};UseDevelopmentEmulator=true";
        var entities = Options.Entities;
        var settings = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["EVENTHUB_CONNECTION_STRING"] = $"Endpoint=sb://{Reachable(_eventHubs!.LocalEndPoint)};{credentials}",
        };
        if (entities.Hubs.Count > 0)
        {
            settings["EVENTHUB_NAME"] = entities.Hubs[0].Name;
            settings["EVENTHUB_CONSUMER_GROUP"] = entities.Hubs[0].ConsumerGroups[0];
        }

        settings["SERVICEBUS_CONNECTION_STRING"] = $"Endpoint=sb://{Reachable(_serviceBus!.LocalEndPoint)};{credentials}";
        if (entities.Queues.Count > 0)
        {
            settings["SERVICEBUS_QUEUE"] = entities.Queues[0].Name;
        }

        settings["STORAGE_CONNECTION_STRING"] = _blobs!.ConnectionString;
        settings["EMULATOR_ADMIN_URL"] = _admin!.Address.GetLeftPart(UriPartial.Authority);
        string[] names = ["STORAGE_CONTAINER", "CHECKPOINT_CONTAINER", "DEADLETTER_CONTAINER"];
        foreach (var (name, container) in names.Zip(entities.Containers))
        {
            settings[name] = container;
        }

        return settings;
    }

    // "All interfaces" is nothing that a client could connect to.
    private static IPEndPoint Reachable(IPEndPoint endPoint) =>
        endPoint.Address.Equals(IPAddress.Any) || endPoint.Address.Equals(IPAddress.IPv6Any) ? new IPEndPoint(IPAddress.Loopback, endPoint.Port) : endPoint;

    private static JournalWriter OpenJournal(string path)
    {
        try
        {
            return JournalWriter.Open(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new ExitException(5, $"--journal {path}: cannot be written", exception);
        }
    }
}
