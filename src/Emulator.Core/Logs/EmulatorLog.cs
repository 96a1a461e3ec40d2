using System.Net;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Emulator.Logs;

/// <summary>
/// Every line of the emulator's log (docs/logs.md). The first value is the subject of a line, which identifies repetitions. No value is a key, a token, the
/// query of an address or a body.
/// </summary>
internal static partial class EmulatorLog
{
    private const string Prefix = "EventHubThroughput.Emulator.";
    public const string Messaging = Prefix + "Messaging";
    public const string Storage = Prefix + "Storage";
    public const string Blobs = Prefix + "Blobs";
    public const string Administration = Prefix + "Administration";

    /// <summary>The category of the frames of all connections, at level Trace.</summary>
    public const string Frames = "EventHubThroughput.Frames";

    [LoggerMessage(2000, LogLevel.Trace, "{Peer} {Arrow} {Frame}")]
    public static partial void Frame(ILogger log, EndPoint? peer, string arrow, string frame);

    // Peers and links of the messaging services.
    [LoggerMessage(2001, LogLevel.Warning, "{Service}: a connection could not be accepted")]
    public static partial void NotAccepted(ILogger log, string service, Exception? exception);

    [LoggerMessage(2002, LogLevel.Warning, "{Service}: {Peer} was refused, because the limit of open connections is reached")]
    public static partial void TurnedAway(ILogger log, string service, EndPoint? peer);

    [LoggerMessage(2003, LogLevel.Information, "{Peer}: the handshake of {Service} failed: {Reason}")]
    public static partial void HandshakeFailed(ILogger log, EndPoint? peer, string service, string? reason, Exception? exception);

    [LoggerMessage(2017, LogLevel.Error, "{Peer}: an HTTP request to the port of {Service} could not be served")]
    public static partial void HttpFailed(ILogger log, EndPoint? peer, string service, Exception? exception);

    [LoggerMessage(2004, LogLevel.Information, "{Peer}: the connection to {Service} has ended: {Reason}")]
    public static partial void ConnectionEnded(ILogger log, EndPoint? peer, string service, string? reason);

    [LoggerMessage(2005, LogLevel.Information, "{Link}: refused to {Peer}: {Reason}")]
    public static partial void LinkRefused(ILogger log, string? link, EndPoint? peer, string? reason);

    [LoggerMessage(2006, LogLevel.Error, "{Link}: could not be served")]
    public static partial void LinkFailed(ILogger log, string? link, Exception? exception);

    [LoggerMessage(2007, LogLevel.Error, "{Peer}: a callback at the end of a link has failed")]
    public static partial void CallFailed(ILogger log, EndPoint? peer, Exception? exception);

    [LoggerMessage(2008, LogLevel.Error, "{Link}: cannot be sent to any more and is detached")]
    public static partial void PushFailed(ILogger log, string link, Exception exception);

    [LoggerMessage(2009, LogLevel.Debug, "{Link}: ended during a transfer")]
    public static partial void PushEnded(ILogger log, string link, Exception exception);

    [LoggerMessage(2010, LogLevel.Information, "{Link}: evicted by a reader of owner level {Level}")]
    public static partial void ReaderEvicted(ILogger log, string link, long? level);

    [LoggerMessage(2011, LogLevel.Information, "{Entity}: a link is detached, its token has expired")]
    public static partial void TokenExpired(ILogger log, string entity);

    [LoggerMessage(2012, LogLevel.Error, "{Node}: a request could not be served")]
    public static partial void RequestFailed(ILogger log, string node, Exception exception);

    [LoggerMessage(2013, LogLevel.Information, "{Node}: a request was refused with {Status}")]
    public static partial void RequestRefused(ILogger log, string node, int status, Exception? exception);

    [LoggerMessage(2014, LogLevel.Information, "{Node}: an answer had no receiver")]
    public static partial void AnswerLost(ILogger log, string node, Exception? exception);

    [LoggerMessage(2015, LogLevel.Error, "{Entity}: a transfer or disposition failed in the emulator and was refused")]
    public static partial void TransferFailed(ILogger log, string entity, Exception exception);

    [LoggerMessage(2016, LogLevel.Debug, "{Entity}: a transfer or disposition was refused")]
    public static partial void TransferRefused(ILogger log, string entity, Exception exception);

    [LoggerMessage(
        2018,
        LogLevel.Warning,
        "{Subscription}: {Count} of its rules, first {Rule}, were not evaluated for message {MessageId}: the rules exceeded the step limit of the message"
    )]
    public static partial void RulesNotEvaluated(ILogger log, string subscription, int count, string rule, string messageId);

    // Stored data: logs of entities, the journal, timers.
    [LoggerMessage(2101, LogLevel.Error, "{Path}: a record could not be written. Its request is refused or retried")]
    public static partial void RecordNotWritten(ILogger log, string path, Exception exception);

    [LoggerMessage(2102, LogLevel.Error, "{Path}: a record could not be removed and will exist after a restart")]
    public static partial void RecordNotRetracted(ILogger log, string path, Exception exception);

    [LoggerMessage(2103, LogLevel.Warning, "{Path}: could not be compacted, the old log continues")]
    public static partial void LogNotRewritten(ILogger log, string path, Exception exception);

    [LoggerMessage(2104, LogLevel.Error, "{Path}: could not be forced to the disk")]
    public static partial void LogNotSynchronised(ILogger log, string path, Exception exception);

    [LoggerMessage(2105, LogLevel.Warning, "{Path}: an empty segment could not be removed")]
    public static partial void SegmentNotRemoved(ILogger log, string path, Exception exception);

    [LoggerMessage(2106, LogLevel.Error, "{Path}: the journal could not be written, and the request is refused")]
    public static partial void JournalNotWritten(ILogger log, string path, Exception exception);

    [LoggerMessage(2107, LogLevel.Error, "{Entity}: a timed task has failed and is retried")]
    public static partial void TimerFailed(ILogger log, string entity, Exception exception);

    [LoggerMessage(2108, LogLevel.Warning, "{Entity}: a message could not be forwarded and is retried")]
    public static partial void ForwardingFailed(ILogger log, string entity, Exception exception);

    [LoggerMessage(2109, LogLevel.Warning, "{Entity}: idle for its limit, but could not be deleted, which is retried")]
    public static partial void IdleNotDeleted(ILogger log, string entity, Exception exception);

    // Requests over HTTP.
    [LoggerMessage(2201, LogLevel.Error, "{Path}: a blob request failed")]
    public static partial void BlobRequestFailed(ILogger log, string? path, Exception exception);

    [LoggerMessage(EventId = 2202, Message = "{Code} ({Status}): {Method} {Path} was refused")]
    public static partial void BlobRequestRefused(ILogger log, LogLevel level, string code, int status, string method, string? path);

    [LoggerMessage(2203, LogLevel.Debug, "{Path}: the client has gone before the answer")]
    public static partial void PeerGone(ILogger log, string? path, Exception exception);

    [LoggerMessage(2204, LogLevel.Error, "{Path}: a request to the administration failed")]
    public static partial void AdministrationFailed(ILogger log, string? path, Exception exception);

    [LoggerMessage(2205, LogLevel.Information, "{Peer}: the TLS handshake of the administration failed")]
    public static partial void AdministrationHandshakeFailed(ILogger log, EndPoint? peer, Exception exception);
}
