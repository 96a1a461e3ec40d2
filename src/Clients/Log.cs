using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients;

/// <summary>
/// Every line of the clients' log (docs/logs.md). The first value is the subject of a line, by which repetitions are recognised. No value is a key, a token
/// or a body.
/// </summary>
internal static partial class Log
{
    private const string Prefix = "EventHubThroughput.Clients.";
    public const string Connections = Prefix + "Connections";
    public const string EventHubs = Prefix + "EventHubs";
    public const string ServiceBus = Prefix + "ServiceBus";
    public const string Blobs = Prefix + "Blobs";

    /// <summary>The frames of all connections of the process, at level Trace.</summary>
    public const string Frames = "EventHubThroughput.Frames";

    [LoggerMessage(1000, LogLevel.Trace, "{Peer} {Arrow} {Frame}")]
    public static partial void Frame(ILogger log, object? peer, string arrow, string frame);

    // Connections and their links.
    [LoggerMessage(1001, LogLevel.Information, "{Service}: connected")]
    public static partial void Connected(ILogger log, string service);

    [LoggerMessage(1002, LogLevel.Warning, "{Service}: the connection was lost: {Reason}")]
    public static partial void ConnectionLost(ILogger log, string service, string reason);

    [LoggerMessage(1003, LogLevel.Warning, "{Service}: no connection, next try in {Delay}")]
    public static partial void ConnectFailed(ILogger log, string service, TimeSpan delay, Exception exception);

    [LoggerMessage(1004, LogLevel.Error, "{Service}: given up, unreachable for {Limit}")]
    public static partial void Unreachable(ILogger log, string service, TimeSpan limit, Exception exception);

    [LoggerMessage(1005, LogLevel.Error, "{Service}: refused, and a retry would not help")]
    public static partial void ConnectRefused(ILogger log, string service, Exception exception);

    [LoggerMessage(1006, LogLevel.Warning, "{Entity}: the token could not be renewed, next try in {Delay}")]
    public static partial void TokenRenewalFailed(ILogger log, string entity, TimeSpan delay, Exception exception);

    [LoggerMessage(1007, LogLevel.Warning, "{Entity}: the token has expired and is replaced")]
    public static partial void TokenExpired(ILogger log, string entity, Exception exception);

    [LoggerMessage(1008, LogLevel.Warning, "{Node}: the link for requests was closed with {Waiting} requests unanswered")]
    public static partial void RequestLinkLost(ILogger log, string node, int waiting, Exception exception);

    [LoggerMessage(1009, LogLevel.Debug, "{Node}: an answer without a waiting request was dropped")]
    public static partial void AnswerDropped(ILogger log, string node);

    [LoggerMessage(1010, LogLevel.Information, "{Entity}: the link to '{Address}' was lost and is attached again")]
    public static partial void SendingLinkLost(ILogger log, string entity, string address);

    [LoggerMessage(1011, LogLevel.Warning, "{Entity}: no answer on the link to '{Address}', which is dropped. The outcome of the message is not known")]
    public static partial void SendUnanswered(ILogger log, string entity, string address, Exception exception);

    [LoggerMessage(1012, LogLevel.Debug, "{Entity}: try {Try} failed, next one in {Delay}")]
    public static partial void TryFailed(ILogger log, string entity, int @try, TimeSpan delay, Exception exception);

    [LoggerMessage(1013, LogLevel.Warning, "{Entity}: the service asks to slow down, next try in {Delay}")]
    public static partial void Throttled(ILogger log, string entity, TimeSpan delay, Exception exception);

    [LoggerMessage(1014, LogLevel.Warning, "{Entity}: given up after {Tries} tries")]
    public static partial void TriesUsedUp(ILogger log, string entity, int tries, Exception exception);

    [LoggerMessage(1015, LogLevel.Warning, "{Service}: no answer to the end of a session, the connection is dropped")]
    public static partial void EndUnanswered(ILogger log, string service);

    [LoggerMessage(1016, LogLevel.Debug, "{Service}: the connection was lost before it could be closed")]
    public static partial void GoneBeforeClose(ILogger log, string service, Exception exception);

    [LoggerMessage(1017, LogLevel.Information, "{Node}: the link for requests was closed without waiting requests")]
    public static partial void IdleRequestLinkLost(ILogger log, string node, Exception exception);

    // Reading and owning partitions.
    [LoggerMessage(1101, LogLevel.Warning, "partition {Partition} of '{Hub}': reading was interrupted, attached again in {Delay}")]
    public static partial void ReadingInterrupted(ILogger log, string partition, string hub, TimeSpan delay, Exception exception);

    [LoggerMessage(1102, LogLevel.Error, "partition {Partition} of '{Hub}': given up, unreadable for {Limit}")]
    public static partial void ReadingGivenUp(ILogger log, string partition, string hub, TimeSpan limit, Exception exception);

    [LoggerMessage(1103, LogLevel.Information, "partition {Partition}: claimed by '{Owner}'")]
    public static partial void Claimed(ILogger log, string partition, string owner);

    [LoggerMessage(1104, LogLevel.Debug, "partition {Partition}: the claim was refused, another owner came first")]
    public static partial void ClaimRefused(ILogger log, string partition);

    [LoggerMessage(1105, LogLevel.Warning, "partition {Partition}: the claim failed, the next cycle tries again")]
    public static partial void ClaimFailed(ILogger log, string partition, Exception exception);

    [LoggerMessage(1106, LogLevel.Warning, "partition {Partition}: lost, its ownership has been taken")]
    public static partial void OwnershipLost(ILogger log, string partition);

    [LoggerMessage(1107, LogLevel.Warning, "partition {Partition}: the ownership could not be renewed, the next cycle tries again")]
    public static partial void RenewalFailed(ILogger log, string partition, Exception exception);

    [LoggerMessage(1108, LogLevel.Warning, "'{Owner}': balancing failed, the next cycle tries again")]
    public static partial void CycleFailed(ILogger log, string owner, Exception exception);

    [LoggerMessage(1109, LogLevel.Warning, "partition {Partition}: another reader took its link")]
    public static partial void LinkTaken(ILogger log, string partition, Exception exception);

    [LoggerMessage(1110, LogLevel.Warning, "partition {Partition}: the checkpoint was refused, because another owner has stored one")]
    public static partial void CheckpointRefused(ILogger log, string partition, Exception exception);

    [LoggerMessage(1111, LogLevel.Warning, "partition {Partition}: its checkpoint could not be read, so it is released for now")]
    public static partial void CheckpointUnread(ILogger log, string partition, Exception exception);

    [LoggerMessage(1112, LogLevel.Warning, "partition {Partition}: its owner is unknown until the store answers. Retry in {Delay}")]
    public static partial void OwnershipUnknown(ILogger log, string partition, TimeSpan delay, Exception exception);

    [LoggerMessage(1113, LogLevel.Warning, "partition {Partition}: reading is not resumed, because the store did not report its owner")]
    public static partial void NotResumed(ILogger log, string partition, Exception exception);

    [LoggerMessage(1114, LogLevel.Warning, "partition {Partition}: could not be released, so its ownership stays in the store until it expires")]
    public static partial void NotGivenUp(ILogger log, string partition, Exception exception);

    [LoggerMessage(1115, LogLevel.Information, "partition {Partition}: reading has ended: {Reason}")]
    public static partial void ReadingEnded(ILogger log, string partition, string reason);

    [LoggerMessage(1116, LogLevel.Error, "'{Owner}': a failure ends the processor")]
    public static partial void ProcessorFailed(ILogger log, string owner, Exception exception);

    [LoggerMessage(1117, LogLevel.Warning, "'{Owner}': a further failure while the processor ends")]
    public static partial void FurtherFailure(ILogger log, string owner, Exception exception);

    [LoggerMessage(1118, LogLevel.Warning, "'{Owner}': ownerships could not be renewed while their partitions drain, and may expire")]
    public static partial void DrainingUnrenewed(ILogger log, string owner, Exception exception);

    [LoggerMessage(1119, LogLevel.Information, "partition {Partition}: a claim or checkpoint whose answer was lost is stored")]
    public static partial void StoredAfterAll(ILogger log, string partition);

    [LoggerMessage(1120, LogLevel.Error, "partition {Partition}: a callback for a buffered event has thrown. A callback must not throw")]
    public static partial void OutcomeRefused(ILogger log, string partition, Exception exception);

    [LoggerMessage(1121, LogLevel.Warning, "{Subject}: {Operation} failed, the package retries")]
    public static partial void PackageTriesAgain(ILogger log, string subject, string operation, Exception exception);

    [LoggerMessage(1122, LogLevel.Warning, "partition {Partition}: another processor owned it in the meantime, so it is read again from the stored checkpoint")]
    public static partial void ClaimedAgain(ILogger log, string partition);

    // Receiving and settling messages.
    [LoggerMessage(1201, LogLevel.Warning, "{Entity}: receiving was interrupted, next try in {Delay}")]
    public static partial void ReceivingInterrupted(ILogger log, string entity, TimeSpan delay, Exception exception);

    [LoggerMessage(1202, LogLevel.Information, "{Entity}: the answer to a settlement was lost and is requested through management")]
    public static partial void SettlementUnanswered(ILogger log, string entity, Exception? exception);

    [LoggerMessage(1203, LogLevel.Information, "{Entity}: messages without a receiver become available when their locks end")]
    public static partial void NotReturned(ILogger log, string entity, Exception exception);

    [LoggerMessage(1204, LogLevel.Debug, "{Entity}: the link could not be drained")]
    public static partial void NotDrained(ILogger log, string entity, Exception exception);

    // Storage.
    [LoggerMessage(1301, LogLevel.Warning, "storage {Host}: no connection, next try in {Delay}")]
    public static partial void StorageUnconnected(ILogger log, string host, TimeSpan delay, Exception exception);

    [LoggerMessage(1302, LogLevel.Error, "storage {Host}: given up, unreachable for {Limit}")]
    public static partial void StorageUnreachable(ILogger log, string host, TimeSpan limit, Exception exception);

    [LoggerMessage(1303, LogLevel.Information, "storage {Host}: answers again")]
    public static partial void StorageAnswersAgain(ILogger log, string host);
}
