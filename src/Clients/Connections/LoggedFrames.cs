using System.Net;
using EventHubThroughput.Amqp.Framing;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Logs each frame of one connection as plain text without confidential data.</summary>
internal sealed class LoggedFrames(ILogger log, EndPoint? peer) : IFrameObserver
{
    /// <summary>Creates one observer per connection, unless the frame log is disabled at that moment.</summary>
    public static Func<EndPoint?, IFrameObserver?> To(ILogger log) => peer => log.IsEnabled(LogLevel.Trace) ? new LoggedFrames(log, peer) : null;

    public void Saw(FrameDirection direction, ProtocolHeader header) => Log.Frame(log, peer, Arrow(direction), FrameText.Of(header));

    public void Saw(FrameDirection direction, in Frame frame) => Log.Frame(log, peer, Arrow(direction), FrameText.Of(frame));

    private static string Arrow(FrameDirection direction) => direction == FrameDirection.Sent ? "->" : "<-";
}
