using EventHubThroughput.Emulator.Administration;
using EventHubThroughput.Emulator.Administration.Atom;
using EventHubThroughput.Emulator.Administration.Endpoint;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Journalling;
using EventHubThroughput.Emulator.Logs;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Journal;
using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator;

/// <summary>A running emulator: Event Hubs, Service Bus, Blob Storage and the administration.</summary>
public sealed class EmulatorHost : IAsyncDisposable
{
    private readonly ILoggerFactory _loggers;
    private readonly CancellationTokenSource _stopping = new();
    private readonly DeadlineQueue _deadlines;
    private readonly LatencyInjection _faultInjection;
    private readonly FaultEngine _faults;
    private readonly IdleLinks _idleLinks;
    private readonly DataDirectory? _data;
    private readonly Storage.SpillFolder? _spill;
    private readonly JournalWriter? _journal;
    private readonly EmulatorJournal _records;
    private readonly ArrivalNumbers _arrivals;
    private readonly PortChoice _ports;
    private readonly HandedOverConnections _handedOver = new();

    // Set during the start. Every field that is set is disposed.
    private DevelopmentCertificate? _certificate;
    private MessagingEndpoints? _messaging;
    private BlobService? _blobs;
    private AdminEndpoint? _admin;
    private PauseDetector? _standstills;
    private long _startedAt;
    private bool _disposed;

    private EmulatorHost(EmulatorOptions options, ILoggerFactory loggers, DataDirectory? data, PortChoice ports, JournalWriter? journal)
    {
        _loggers = loggers;
        Options = options;
        _data = data;
        _ports = ports;
        _journal = journal;
        if (journal is not null && options.JournalPath is { } place)
        {
            var storage = loggers.CreateLogger(EmulatorLog.Storage);
            journal.WriteFailed = exception => EmulatorLog.JournalNotWritten(storage, place, exception);
        }

        _spill = options.SpillPath is { } folder ? Storage.SpillFolder.Open(folder) : null;
        Budget = new Storage.MemoryBudget(options.Limits.MemoryBytes, _spill);
        _records = new EmulatorJournal(journal, options.JournalProperties) { NotesArrivals = data is null };
        _arrivals = new ArrivalNumbers(journal?.LastRecorded);
        try
        {
            Hubs = new EventHubRegistry(Budget, options.TimeProvider, data, EntitySetReader.MostEntities, _records)
            {
                OnDemand = options.HubOnDemand is { } like ? name => EmulatedName.Fault(name) is null ? like with { Name = name } : null : null,
            };
            Queues = new ServiceBusRegistry(
                Budget,
                options.TimeProvider,
                data,
                EntitySetReader.MostEntities,
                _arrivals,
                loggers.CreateLogger(EmulatorLog.Storage)
            )
            {
                NotEvaluated = _records.NotEvaluated,
                OnDemand = options.QueueOnDemand is { } queue ? name => EmulatedName.PathFault(name) is null ? queue with { Name = name } : null : null,
            };
        }
        catch
        {
            Hubs?.Dispose();
            _spill?.Dispose();
            throw;
        }

        // Created last: it starts the only thread, and no later step can fail.
        _deadlines = new DeadlineQueue();
        _faultInjection = new LatencyInjection(options.Profile, options.Seed, _deadlines);
        _faults = new FaultEngine(journal, _deadlines, options.Seed);
        _idleLinks = new IdleLinks(_faults, options.TimeProvider);
        _faults.Changed = _idleLinks.Look;
    }

    internal EmulatorOptions Options { get; }

    internal EventHubRegistry Hubs { get; }

    /// <summary>The first of each kind, which the settings name.</summary>
    internal EventHub Hub => Hubs.Find(Options.Entities.Hubs[0].Name)!;

    internal MessageQueue Queue => Queues.FindQueue(Options.Entities.Queues[0].Name)!;

    internal ServiceBusRegistry Queues { get; }

    internal Storage.MemoryBudget Budget { get; }

    /// <summary>The entities when the emulator became ready. Requested ones come first.</summary>
    public EntitySet Entities { get; private set; } = new();

    /// <summary>Notices for the caller about the start: repaired logs and changed ports.</summary>
    public IReadOnlyList<EmulatorNotice> Notices =>
        [.. (_data?.Recovered ?? []).Select(static text => new EmulatorNotice(text)), .. _ports.Notices, .. JournalNotices];

    /// <summary>The latencies in force.</summary>
    internal LatencyInjection FaultInjection => _faultInjection;

    /// <summary>The armed faults.</summary>
    internal FaultEngine Faults => _faults;

    private IEnumerable<EmulatorNotice> JournalNotices =>
        _journal?.Continued is { CutBytes: > 0 } end
            ? [new EmulatorNotice($"{Options.JournalPath}: {end.CutBytes} bytes of an incomplete record were removed, {end.Tick} records are complete")]
            : [];

    /// <summary>Requested and observed latencies of the operations that occurred.</summary>
    public IReadOnlyList<ObservedLatency> Observed => _faultInjection.Observed;

    /// <summary>The connection string of Event Hubs.</summary>
    public string EventHubsConnectionString => Settings["EVENTHUB_CONNECTION_STRING"];

    /// <summary>The connection string of Service Bus.</summary>
    public string ServiceBusConnectionString => Settings["SERVICEBUS_CONNECTION_STRING"];

    /// <summary>The connection string of Blob Storage.</summary>
    public string StorageConnectionString => Settings["STORAGE_CONNECTION_STRING"];

    /// <summary>The address of the administration over HTTP.</summary>
    public Uri AdministrationAddress => new(Settings["EMULATOR_ADMIN_URL"]);

    /// <summary>Connection strings and names, named like the environment variables that clients read.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; private set; } = new Dictionary<string, string>();

    /// <summary>Starts an emulator. It serves from the completion of the task until it is disposed. A process can run several.</summary>
    /// <exception cref="EmulatorException">A port is in use, or the data directory or the journal cannot be used.</exception>
    public static async Task<EmulatorHost> StartAsync(EmulatorOptions options, CancellationToken cancellationToken)
    {
        var (host, key) = Open(options);
        try
        {
            await host.StartEndpointsAsync(key, cancellationToken);
            return host;
        }
        catch
        {
            await host.DisposeAsync();
            throw;
        }
    }

    // Opens everything except the endpoints, or nothing.
    private static (EmulatorHost Host, AccessKey Key) Open(EmulatorOptions options)
    {
        DataDirectory? data = null;
        JournalWriter? journal = null;
        var loggers = LimitedLoggerFactory.Over(options.LoggerFactory, options.TimeProvider);
        try
        {
            var storage = loggers.CreateLogger(EmulatorLog.Storage);
            data = options.DataPath is { } path ? DataDirectory.Open(path, options.Sync, options.TimeProvider, storage) : null;
            var key = options.Key ?? (data is null ? AccessKey.CreateRandom() : KeyFile.ReadOrCreate(data));
            var ports = new PortChoice(options.Host, data);
            journal = options.JournalPath is { } file ? JournalStart.Open(file, data is not null, options.TimeProvider) : null;
            return (new EmulatorHost(options, loggers, data, ports, journal), key);
        }
        catch
        {
            journal?.Dispose();
            data?.Dispose();
            ReleaseLoggers(loggers, options);
            throw;
        }
    }

    // Flushes buffered entries. A factory of the caller is not disposed.
    private static void ReleaseLoggers(ILoggerFactory loggers, EmulatorOptions options)
    {
        if (loggers != options.LoggerFactory)
        {
            loggers.Dispose();
        }
    }

    /// <summary>Closes all connections and ports, and releases all files. It may be called twice.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_disposed)
        {
            return;
        }

        _disposed = true;
        await _stopping.CancelAsync();

        // Concurrently, because each waits for its peers.
        IAsyncDisposable?[] endpoints = [_admin, _messaging, _blobs];
        await Task.WhenAll(endpoints.OfType<IAsyncDisposable>().Select(static endpoint => endpoint.DisposeAsync().AsTask()));
        _idleLinks.Dispose();
        _standstills?.Dispose();
        Hubs.Dispose();
        Queues.Dispose();
        _certificate?.Dispose();
        _deadlines.Dispose();
        _journal?.Dispose();
        _data?.Dispose();
        _spill?.Dispose();
        _stopping.Dispose();
        ReleaseLoggers(_loggers, Options);
    }

    private async Task StartEndpointsAsync(AccessKey key, CancellationToken cancellationToken)
    {
        var policies = new AccessPolicies(key, Options.Policies);
        var context = new EndpointContext
        {
            Policies = policies,
            AllowAnonymous = Options.AllowAnonymous,
            Limits = Options.Limits,
            Journal = _records,
            FaultInjection = _faultInjection,
            Faults = _faults,
            IdleLinks = _idleLinks,
            Budget = Budget,
            Clock = Options.TimeProvider,
            Log = _loggers.CreateLogger(EmulatorLog.Messaging),
            Frames = _loggers.CreateLogger(EmulatorLog.Frames),
            ServeHttp = _handedOver.ServeAsync,
            Stopping = _stopping.Token,
        };
        UnjournaledRecords.Record(context.Journal, _journal?.LastRecorded ?? LastStored.Nothing, Hubs.All, _arrivals);
        InitialEntities.Create(Options, Hubs, Queues);
        _faults.Arm(Options.Faults);
        _certificate =
            Options.TlsPort is null && Options.AdminTlsPort is null ? null : DevelopmentCertificate.Create(Options.Host, _data, Options.TimeProvider);
        _messaging = await MessagingEndpoints.StartAsync(Options, _ports, context, Hubs, Queues, _certificate);
        _blobs = await StartBlobsAsync(key, cancellationToken);
        _admin = await StartAdminAsync(key, cancellationToken);
        _ports.Save();

        if (_journal is not null)
        {
            JournalStart.Place(_journal, Options.JournalPath!, hasData: _data is not null);
        }

        _standstills = _records.IsOn ? new PauseDetector(_records, Options.TimeProvider) : null;
        _startedAt = Options.TimeProvider.GetTimestamp();
        Entities = InitialEntities.List(Options, Hubs, Queues, _blobs.Store);
        Settings = new ConnectionDescription
        {
            Key = key,
            Policies = Options.Policies.ToDictionary(static policy => policy, policies.RevealKeyOf),
            EventHubs = _messaging.EventHubs,
            ServiceBus = _messaging.ServiceBus,
            Storage = _blobs.ConnectionString,
            Admin = _admin.Address,
            Encrypted = _messaging.Encrypted,
            EncryptedAdmin = _admin.EncryptedAddress,
            Certificate = _certificate?.Path,
            Entities = Entities,
        }.ToVariables();
    }

    private async Task<BlobService> StartBlobsAsync(AccessKey key, CancellationToken cancellationToken)
    {
        var options = new BlobServiceOptions
        {
            Address = Options.Host,
            Key = key.Decode(),
            Latency = _faultInjection.CreateLatency(),
            Faults = new BlobFaults(_faults, _faultInjection),
            Journal = _journal,
            AllowAnonymous = Options.AllowAnonymous,
            TimeProvider = new SkewedClock(Options.TimeProvider, _faults),
            Budget = Budget,
            Data = _data,
            Log = _loggers.CreateLogger(EmulatorLog.Blobs),
            ConnectionLimit = Options.Limits.BlobConnections,
            HeaderLimit = Options.Limits.HeaderBytes,
            BodyLimit = Options.Limits.UploadBytes,
            MinimumRate = Options.Limits.MinimumRate,
        };
        // Opened once, before a client can ask for a container. A port that is in use is retried with another number.
        var store = BlobService.OpenStore(options);
        InitialEntities.Create(Options, store);
        var blobs = await _ports.ListenAsync(
            EmulatorSetting.BlobPort,
            Options.BlobPort,
            port => BlobService.StartAsync(options with { Port = port }, store, cancellationToken)
        );
        _ports.Took(EmulatorSetting.BlobPort, blobs.Port);
        return blobs;
    }

    private async Task<AdminEndpoint> StartAdminAsync(AccessKey key, CancellationToken cancellationToken)
    {
        var options = new AdminEndpointOptions
        {
            Address = Options.Host,
            HandedOver = _handedOver,
            Key = key,
            AllowAnonymous = Options.AllowAnonymous,
            TimeProvider = Options.TimeProvider,
            ConnectionLimit = Options.Limits.AdminConnections,
            HeaderLimit = Options.Limits.HeaderBytes,
            Log = _loggers.CreateLogger(EmulatorLog.Administration),
            MinimumRate = Options.Limits.MinimumRate,
        };
        var (routes, atom) = (CreateAdminRoutes(), new AtomRoutes(Queues, Hubs, Options.TimeProvider.GetUtcNow()));
        Task<AdminEndpoint> StartAsync(int port, int? tlsPort) =>
            AdminEndpoint.StartAsync(
                options with
                {
                    Port = port,
                    Encrypted = tlsPort is { } encrypted ? (encrypted, _certificate!.Certificate) : null,
                },
                routes,
                atom,
                cancellationToken
            );
        var admin = await _ports.ListenAsync(
            EmulatorSetting.AdminPort,
            Options.AdminPort,
            port =>
                Options.AdminTlsPort is { } asked
                    ? _ports.ListenAsync(EmulatorSetting.AdminTlsPort, asked, tlsPort => StartAsync(port, tlsPort))
                    : StartAsync(port, null)
        );
        _ports.Took(EmulatorSetting.AdminPort, admin.Address.Port);
        if (admin.EncryptedAddress is { } encrypted)
        {
            _ports.Took(EmulatorSetting.AdminTlsPort, encrypted.Port);
        }

        return admin;
    }

    private Statistics Observe() =>
        new()
        {
            Uptime = Options.TimeProvider.GetElapsedTime(_startedAt),
            Connections = _messaging!.Connections,
            UsedBytes = Budget.UsedBytes,
            LimitBytes = Budget.LimitBytes,
            Hubs = [.. Hubs.All.OrderBy(static hub => hub.Name, StringComparer.OrdinalIgnoreCase).Select(HubStatistics.Of)],
            Queues = Queues.Queues,
            Topics = Queues.Topics,
            Containers = [.. _blobs!.Store.All().Select(ContainerStatistics.Of)],
            Profile = _faultInjection.Profile.Name,
            Latency = Observed,
            Faults = [.. _faults.Armed],
            Journal = Options.JournalPath,
            Data = Options.DataPath,
        };

    // One line for each group of paths.
    private AdminRoutes CreateAdminRoutes()
    {
        var routes = new AdminRoutes();
        HealthRoutes.AddTo(routes);
        StatisticsRoutes.AddTo(routes, Observe);
        HubRoutes.AddTo(routes, Hubs);
        QueueRoutes.AddTo(routes, Queues);
        TopicRoutes.AddTo(routes, Queues);
        ContainerRoutes.AddTo(routes, _blobs!.Store);
        ProfileRoutes.AddTo(routes, _faultInjection);
        FaultRoutes.AddTo(routes, _faults);
        return routes;
    }
}
