using System.Net;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Logs;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>Logs the events of a listener and its connections.</summary>
internal sealed class ListenerLog(ILogger log, string service)
{
    public void Note(ListenerNotice notice)
    {
        var reason = notice.Error is { } error ? $"{error.Description} ({error.Condition})" : notice.Exception?.Message;
        switch (notice.Event)
        {
            case ListenerEvent.NotAccepted:
                EmulatorLog.NotAccepted(log, service, notice.Exception);
                break;
            case ListenerEvent.TurnedAway:
                EmulatorLog.TurnedAway(log, service, notice.Peer);
                break;
            case ListenerEvent.HandshakeFailed:
                EmulatorLog.HandshakeFailed(log, notice.Peer, service, reason, notice.Exception);
                break;
            case ListenerEvent.HttpFailed:
                EmulatorLog.HttpFailed(log, notice.Peer, service, notice.Exception);
                break;
            case ListenerEvent.ConnectionEnded:
                EmulatorLog.ConnectionEnded(log, notice.Peer, service, reason);
                break;
            case ListenerEvent.LinkRefused:
                EmulatorLog.LinkRefused(log, notice.Link, notice.Peer, reason);
                break;
            case ListenerEvent.LinkFailed:
                EmulatorLog.LinkFailed(log, notice.Link, notice.Exception);
                break;
            case ListenerEvent.CallFailed:
                EmulatorLog.CallFailed(log, notice.Peer, notice.Exception);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(notice), notice.Event, "unknown");
        }
    }

    /// <summary>Creates an observer that logs the frames of a connection. Null if frames are not logged at that time.</summary>
    public static Func<EndPoint?, IFrameObserver?> FramesTo(ILogger frames) => peer => frames.IsEnabled(LogLevel.Trace) ? new Frames(frames, peer) : null;

    private sealed class Frames(ILogger log, EndPoint? peer) : IFrameObserver
    {
        public void Saw(FrameDirection direction, ProtocolHeader header) => EmulatorLog.Frame(log, peer, Arrow(direction), FrameText.Of(header));

        public void Saw(FrameDirection direction, in Frame frame) => EmulatorLog.Frame(log, peer, Arrow(direction), FrameText.Of(frame));

        private static string Arrow(FrameDirection direction) => direction == FrameDirection.Sent ? "->" : "<-";
    }
}
