using System.Net;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Limits;
using EventHubThroughput.Profiles;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator;

/// <summary>Settings of an emulator.</summary>
public sealed record EmulatorOptions
{
    /// <summary>The address to listen on.</summary>
    public IPAddress Host { get; init; } = IPAddress.Loopback;

    /// <summary>The port of Event Hubs. 0 takes a free one.</summary>
    public int EventHubsPort { get; init; }

    /// <summary>The port of Service Bus. 0 takes a free one, the port of Event Hubs serves both.</summary>
    public int ServiceBusPort { get; init; }

    /// <summary>The port of Blob Storage. 0 takes a free one.</summary>
    public int BlobPort { get; init; }

    /// <summary>The port of the administration over HTTP. 0 takes a free one.</summary>
    public int AdminPort { get; init; }

    /// <summary>One port with TLS for both messaging services. Null has none.</summary>
    public int? TlsPort { get; init; }

    /// <summary>One more port of the administration, with TLS. 0 takes a free one, null none.</summary>
    public int? AdminTlsPort { get; init; }

    /// <summary>The requested entities. One that already exists must have the same settings.</summary>
    public EntitySet Entities { get; init; } = EntitySet.Default;

    /// <summary>Entities that are created if none of their kind is requested and the data directory has none.</summary>
    public EntitySet Defaults { get; init; } = new();

    /// <summary>The settings of a hub that is created when it is first addressed, except its name. Null refuses it.</summary>
    public HubSettings? HubOnDemand { get; init; }

    /// <summary>The settings of a queue that is created when it is first addressed, except its name. Null refuses it.</summary>
    public QueueSettings? QueueOnDemand { get; init; }

    /// <summary>The folder that keeps all data over a restart. Null keeps it in memory.</summary>
    public string? DataPath { get; init; }

    /// <summary>The folder for bodies that do not fit into memory. Null refuses them.</summary>
    public string? SpillPath { get; init; }

    /// <summary>When stored data is forced to the disk.</summary>
    public SyncPolicy Sync { get; init; } = SyncPolicy.Second;

    /// <summary>The latencies of the services.</summary>
    public LatencyProfile Profile { get; init; } = LatencyProfiles.None;

    /// <summary>The seed of all random numbers.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The faults that are armed from the start.</summary>
    public IReadOnlyList<FaultRule> Faults { get; init; } = [];

    /// <summary>The file that records stored and delivered data. Null writes none.</summary>
    public string? JournalPath { get; init; }

    /// <summary>The application properties whose values the journal records.</summary>
    public IReadOnlyList<string> JournalProperties { get; init; } = [];

    /// <summary>Whether clients without tokens and signatures are accepted.</summary>
    public bool AllowAnonymous { get; init; }

    /// <summary>The access key. Null uses that of the data directory, or creates a random one.</summary>
    public AccessKey? Key { get; init; }

    /// <summary>Policies of the messaging services with fewer rights than the access key.</summary>
    public IReadOnlyList<AccessPolicy> Policies { get; init; } = [];

    /// <summary>The limits for clients.</summary>
    public EmulatorLimits Limits { get; init; } = new();

    /// <summary>Makes the loggers. Null writes no log.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock of everything except the latencies.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
