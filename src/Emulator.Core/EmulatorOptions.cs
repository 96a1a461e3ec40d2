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

    /// <summary>What is asked for. An entity that is there already must be like it.</summary>
    public EntitySet Entities { get; init; } = EntitySet.Default;

    /// <summary>What is created of a kind of which nothing is asked for, and of which the data directory holds nothing.</summary>
    public EntitySet Defaults { get; init; } = new();

    /// <summary>What a hub is created like when it is first addressed. Null refuses it. The name is the address's.</summary>
    public HubSettings? HubOnDemand { get; init; }

    /// <summary>The same for queues.</summary>
    public QueueSettings? QueueOnDemand { get; init; }

    /// <summary>The folder that keeps everything over a restart. Null keeps it in memory.</summary>
    public string? DataPath { get; init; }

    /// <summary>The folder for bodies that memory has no room for. Null refuses them.</summary>
    public string? SpillPath { get; init; }

    /// <summary>When what is kept is forced to the disk.</summary>
    public SyncPolicy Sync { get; init; } = SyncPolicy.Second;

    /// <summary>How slow the services are.</summary>
    public LatencyProfile Profile { get; init; } = LatencyProfiles.None;

    /// <summary>The seed of all draws.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The faults that are armed from the start.</summary>
    public IReadOnlyList<FaultRule> Faults { get; init; } = [];

    /// <summary>The file that records what really happened. Null writes none.</summary>
    public string? JournalPath { get; init; }

    /// <summary>The application properties whose values the journal records.</summary>
    public IReadOnlyList<string> JournalProperties { get; init; } = [];

    /// <summary>Whether clients without tokens and signatures are accepted.</summary>
    public bool AllowAnonymous { get; init; }

    /// <summary>Null takes the data directory's, or makes a random one.</summary>
    public AccessKey? Key { get; init; }

    /// <summary>How much a peer may ask for.</summary>
    public EmulatorLimits Limits { get; init; } = new();

    /// <summary>Makes the loggers. Null writes no log.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock of everything but the latencies.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
