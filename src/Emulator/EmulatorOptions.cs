using System.Net;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Laboratory;
using EventHubThroughput.Emulator.ServiceBus;

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

    public string Hub { get; init; } = "hub";

    public int Partitions { get; init; } = 4;

    public IReadOnlyList<string> ConsumerGroups { get; init; } = ["$Default"];

    public string Queue { get; init; } = "queue";

    public MessageQueueOptions QueueOptions { get; init; } = new();

    /// <summary>In this order: archive, checkpoints, dead letters, and any others.</summary>
    public IReadOnlyList<string> Containers { get; init; } = ["archive", "checkpoints", "deadletters"];

    public LatencyProfile Profile { get; init; } = LatencyProfiles.None;

    public int Seed { get; init; } = 1;

    public string? JournalPath { get; init; }

    public IReadOnlyList<string> JournalProperties { get; init; } = [];

    public bool AllowAnonymous { get; init; }

    /// <summary>Null makes a random one.</summary>
    public AccessKey? Key { get; init; }

    public EmulatorLimits Limits { get; init; } = new();

    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
