using EventHubThroughput.Amqp;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Journalling;
using EventHubThroughput.Emulator.Limits;
using EventHubThroughput.Emulator.Storage;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>The shared parts of both messaging services.</summary>
internal sealed record EndpointContext
{
    public required AccessPolicies Policies { get; init; }

    public bool AllowAnonymous { get; init; }

    public required EmulatorLimits Limits { get; init; }

    public required EmulatorJournal Journal { get; init; }

    public required LatencyInjection FaultInjection { get; init; }

    public FaultEngine Faults { get; init; } = FaultEngine.Quiet;

    /// <summary>Detaches links without traffic if a fault requires it.</summary>
    public required IdleLinks IdleLinks { get; init; }

    /// <summary>Serves HTTP requests that arrive at an AMQP port.</summary>
    public Func<AmqpHttpPeer, CancellationToken, Task>? ServeHttp { get; init; }

    /// <summary>The name of the service, for faults that affect one service.</summary>
    public string Service { get; init; } = FaultTarget.EventHubs;

    public required MemoryBudget Budget { get; init; }

    public required TimeProvider Clock { get; init; }

    public ILogger Log { get; init; } = NullLogger.Instance;

    /// <summary>The log of frames.</summary>
    public ILogger Frames { get; init; } = NullLogger.Instance;

    /// <summary>Cancelled when the emulator ends. Received data is stored until then, even if its link has ended.</summary>
    public required CancellationToken Stopping { get; init; }
}
