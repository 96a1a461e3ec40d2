using System.Net;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Journal;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Emulator.Blobs;

internal sealed record BlobServiceOptions
{
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The port. 0 takes a free one.</summary>
    public int Port { get; init; }

    public string Account { get; init; } = "devstoreaccount1";

    public required byte[] Key { get; init; }

    /// <summary>Containers that exist from the start.</summary>
    public IReadOnlyList<string> Containers { get; init; } = [];

    public ILatency Latency { get; init; } = NoLatency.Instance;

    /// <summary>The faults and latencies of requests. Null for none.</summary>
    public BlobFaults? Faults { get; init; }

    public JournalWriter? Journal { get; init; }

    /// <summary>The writer of problems that clients cannot solve.</summary>
    public TextWriter Diagnostics { get; init; } = Console.Error;

    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Whether requests without a signature are served too.</summary>
    public bool AllowAnonymous { get; init; }

    public int HeaderLimit { get; init; } = 32 * 1024;

    public long BodyLimit { get; init; } = 256L * 1024 * 1024;

    /// <summary>The longest blob that blocks or a copy may create. A small request must not fill the disk.</summary>
    public long BlobLimit { get; init; } = 4L * 1024 * 1024 * 1024;

    /// <summary>The memory budget, shared with hubs and queues.</summary>
    public MemoryBudget Budget { get; init; } = new(1024L * 1024 * 1024);

    /// <summary>The directory that keeps containers over a restart. Null keeps them in memory.</summary>
    public DataDirectory? Data { get; init; }

    public int ContainerLimit { get; init; } = 1_024;

    /// <summary>Connections beyond this are closed.</summary>
    public int ConnectionLimit { get; init; } = 4_096;

    /// <summary>The least rate in bytes a second. A slower body or answer ends its connection.</summary>
    public double MinimumRate { get; init; } = 1_024;

    /// <summary>For how long a transfer may stay below <see cref="MinimumRate"/>.</summary>
    public TimeSpan MinimumRateGrace { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The limit from the start of a connection to its first byte, and from there to the end of the headers.</summary>
    public TimeSpan HeaderTime { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The log of refused and failed requests.</summary>
    public ILogger Log { get; init; } = NullLogger.Instance;
}
