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

/// <summary>What both messaging services share.</summary>
internal sealed record EndpointContext
{
    public required AccessKey Key { get; init; }

    public bool AllowAnonymous { get; init; }

    public required EmulatorLimits Limits { get; init; }

    public required EmulatorJournal Journal { get; init; }

    public required LatencyInjection FaultInjection { get; init; }

    public FaultEngine Faults { get; init; } = FaultEngine.Quiet;

    /// <summary>Detaches links without traffic, where a fault asks for it.</summary>
    public required IdleLinks IdleLinks { get; init; }

    /// <summary>Serves requests of HTTP that come to a port of AMQP.</summary>
    public Func<AmqpHttpPeer, CancellationToken, Task>? ServeHttp { get; init; }

    /// <summary>Which of the services it is, for faults that strike one of them.</summary>
    public string Service { get; init; } = FaultTarget.EventHubs;

    public required MemoryBudget Budget { get; init; }

    public required TimeProvider Clock { get; init; }

    public ILogger Log { get; init; } = NullLogger.Instance;

    /// <summary>Where frames are shown.</summary>
    public ILogger Frames { get; init; } = NullLogger.Instance;

    /// <summary>Cancelled when the emulator ends. What was received is stored until then, even if its link is gone.</summary>
    public required CancellationToken Stopping { get; init; }
}
