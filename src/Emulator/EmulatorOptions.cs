using System.Net;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.Laboratory;

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

    public EntitySet Entities { get; init; } = EntitySet.Default;

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
