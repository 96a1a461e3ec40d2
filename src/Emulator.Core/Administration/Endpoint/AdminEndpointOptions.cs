using System.Net;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.Emulator.Authorization;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Emulator.Administration.Endpoint;

/// <summary>Settings of the administration endpoint.</summary>
internal sealed record AdminEndpointOptions
{
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The port. 0 takes a free one.</summary>
    public int Port { get; init; }

    /// <summary>One more port, with TLS, and what is shown there. Null: no such port.</summary>
    public (int Port, X509Certificate2 Certificate)? Encrypted { get; init; }

    /// <summary>Connections that other ports hand over. Null: none do.</summary>
    public HandedOverConnections? HandedOver { get; init; }

    public required AccessKey Key { get; init; }

    public bool AllowAnonymous { get; init; }

    public int HeaderLimit { get; init; } = 32 * 1024;

    public int ConnectionLimit { get; init; } = 256;

    /// <summary>A body or answer that moves slower than this, in bytes a second, ends its connection.</summary>
    public double MinimumRate { get; init; } = 1_024;

    /// <summary>For how long <see cref="MinimumRate"/> may be missed.</summary>
    public TimeSpan MinimumRateGrace { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>From a connection's beginning, or its last answer, to the first byte of a request, and from there to the end of its headers.</summary>
    public TimeSpan HeaderTime { get; init; } = TimeSpan.FromSeconds(10);

    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Told of requests that fail.</summary>
    public ILogger Log { get; init; } = NullLogger.Instance;
}
