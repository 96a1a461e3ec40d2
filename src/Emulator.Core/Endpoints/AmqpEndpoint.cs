using System.Net.Sockets;
using EventHubThroughput.Amqp;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.FaultInjection.Faults;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>Starts to listen for AMQP connections of one service.</summary>
internal static class AmqpEndpoint
{
    /// <summary>
    /// The time before a TLS handshake. The official AMQP library for .NET (2.7.3) misses the end of a handshake that is faster than its call to connect. It then
    /// waits without a limit (<c>TlsTransportInitiator</c>). That happens only with an IP address of the same machine.
    /// </summary>
    internal static readonly TimeSpan HandshakePause = TimeSpan.FromMilliseconds(50);

    /// <exception cref="SocketException">The port is in use.</exception>
    public static AmqpListener Listen(AmqpListenerOptions options, IServiceLinks links, EndpointContext context)
    {
        var limits = context.Limits;
        var own = context with { Service = options.ContainerId ?? context.Service };
        var limited = options with
        {
            WebSocketPath = AmqpWebSocketOptions.AzurePath,
            ServeHttp = context.ServeHttp,
            MaxFrameSize = (uint)limits.FrameBytes,
            ChannelMax = (ushort)(limits.Sessions - 1),
            HandleMax = (uint)(limits.Links - 1),
            UnsettledLimit = limits.Unsettled,
            IdleTimeout = limits.Idle,
            HandshakeTimeout = limits.Handshake,
            StalledPeerTimeout = limits.StalledPeer,
            MaxConnections = limits.Connections,
            WriteQueueLimit = limits.WriteQueueBytes,
            MaxMessageSize = (ulong)limits.HubMessageBytes,
            TimeProvider = context.Clock,
            Notice = new ListenerLog(context.Log, own.Service).Note,
            FrameObserver = ListenerLog.FramesTo(context.Frames),
            Intercept = async (stream, cancellationToken) =>
            {
                if (options.Certificate is not null)
                {
                    await Task.Delay(HandshakePause, context.Clock, cancellationToken);
                }

                return await ConnectionFaults.EnterAsync(own.Faults, own.Service, stream, cancellationToken);
            },

            // A peer without name and password is accepted, because it sends tokens later. Wrong ones are refused immediately.
            Authenticate = identity =>
                context.AllowAnonymous
                || identity.Password is null
                || context.Policies.GetRights(identity.UserName ?? string.Empty, identity.Password) != AccessRights.None,
        };
        return AmqpListener.Start(limited, connection => new PeerConnection(connection, links, own));
    }
}
