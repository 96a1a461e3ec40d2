using System.Net;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.Emulator.Authorization;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Emulator.Administration.Endpoint;

internal sealed record AdminEndpointOptions
{
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The port. 0 takes a free one.</summary>
    public int Port { get; init; }

    /// <summary>Another port with TLS, and its certificate. Null opens no such port.</summary>
    public (int Port, X509Certificate2 Certificate)? Encrypted { get; init; }

    /// <summary>Connections that other ports hand over. Null accepts none.</summary>
    public HandedOverConnections? HandedOver { get; init; }

    public required AccessKey Key { get; init; }

    public bool AllowAnonymous { get; init; }

    public int HeaderLimit { get; init; } = 32 * 1024;

    public int ConnectionLimit { get; init; } = 256;

    /// <summary>The least rate in bytes a second. A slower body or answer ends its connection.</summary>
    public double MinimumRate { get; init; } = 1_024;

    /// <summary>For how long a transfer may stay below <see cref="MinimumRate"/>.</summary>
    public TimeSpan MinimumRateGrace { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The limit for the time from the start of a connection, or its last answer, to the first byte of a request. Also the limit from there to the end of the
    /// headers.
    /// </summary>
    public TimeSpan HeaderTime { get; init; } = TimeSpan.FromSeconds(10);

    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>The log of failed requests.</summary>
    public ILogger Log { get; init; } = NullLogger.Instance;
}
