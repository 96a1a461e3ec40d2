using System.Net;
using EventHubThroughput.Amqp.Framing;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Writes each frame of one connection into the log, in plain text and without what is nobody's business.</summary>
internal sealed class LoggedFrames(ILogger log, EndPoint? peer) : IFrameObserver
{
    /// <summary>Makes one for each connection, unless nobody reads frames when it is made.</summary>
    public static Func<EndPoint?, IFrameObserver?> To(ILogger log) => peer => log.IsEnabled(LogLevel.Trace) ? new LoggedFrames(log, peer) : null;

    public void Saw(FrameDirection direction, ProtocolHeader header) => Log.Frame(log, peer, Arrow(direction), FrameText.Of(header));

    public void Saw(FrameDirection direction, in Frame frame) => Log.Frame(log, peer, Arrow(direction), FrameText.Of(frame));

    private static string Arrow(FrameDirection direction) => direction == FrameDirection.Sent ? "->" : "<-";
}
