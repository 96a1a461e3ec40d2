using System.Net;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Laboratory;
using EventHubThroughput.Emulator.Laboratory.Faults;
using EventHubThroughput.Emulator.Limits;
using EventHubThroughput.Profiles;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator;

/// <summary>Settings of an emulator.</summary>
internal sealed record EmulatorOptions
{
    public IPAddress Host { get; init; } = IPAddress.Loopback;

    /// <summary>The ports; 0 takes a free one.</summary>
    public int EventHubsPort { get; init; }

    public int ServiceBusPort { get; init; }

    public int BlobPort { get; init; }

    public int AdminPort { get; init; }

    /// <summary>One port with TLS for both messaging services; null has none.</summary>
    public int? TlsPort { get; init; }

    /// <summary>One more port of the administration, with TLS; 0 takes a free one, null none.</summary>
    public int? AdminTlsPort { get; init; }

    /// <summary>What is asked for; an entity that is there already must be like it.</summary>
    public EntitySet Entities { get; init; } = EntitySet.Default;

    /// <summary>What is created of a kind of which nothing is asked for, and of which the data directory holds nothing.</summary>
    public EntitySet Defaults { get; init; } = new();

    /// <summary>What a hub is created like when it is first addressed; null refuses it. The name is the address's.</summary>
    public HubSettings? HubOnDemand { get; init; }

    public QueueSettings? QueueOnDemand { get; init; }

    /// <summary>The folder that keeps everything over a restart; null keeps it in memory.</summary>
    public string? DataPath { get; init; }

    /// <summary>The folder for bodies that memory has no room for; null refuses them.</summary>
    public string? SpillPath { get; init; }

    public SyncPolicy Sync { get; init; } = SyncPolicy.Second;

    public LatencyProfile Profile { get; init; } = LatencyProfiles.None;

    public int Seed { get; init; } = 1;

    /// <summary>Armed from the start.</summary>
    public IReadOnlyList<FaultRule> Faults { get; init; } = [];

    public string? JournalPath { get; init; }

    public IReadOnlyList<string> JournalProperties { get; init; } = [];

    public bool AllowAnonymous { get; init; }

    /// <summary>Null takes the data directory's, or makes a random one.</summary>
    public AccessKey? Key { get; init; }

    public EmulatorLimits Limits { get; init; } = new();

    /// <summary>Makes the loggers; null writes no log.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
