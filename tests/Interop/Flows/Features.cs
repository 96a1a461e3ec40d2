namespace EventHubThroughput.Interop;

/// <summary>The rows of the support table, in its order.</summary>
internal static class Features
{
    public const string Send = "Event Hubs: send single events and batches";
    public const string PartitionId = "Event Hubs: send to a partition";
    public const string PartitionKey = "Event Hubs: send by partition key (the service's hash)";
    public const string Buffered = "Event Hubs: buffered producer";
    public const string Properties = "Event Hubs: properties of every type";
    public const string Annotated = "Event Hubs: annotated messages (every AMQP section)";
    public const string Sizes = "Event Hubs: sizes up to the limit, refusal beyond it";
    public const string Positions = "Event Hubs: start positions";
    public const string WaitingTime = "Event Hubs: receive time-out";
    public const string RuntimeMetric = "Event Hubs: last enqueued event reported while reading";
    public const string ConsumerGroups = "Event Hubs: consumer groups";
    public const string OwnerLevel = "Event Hubs: owner levels and eviction";
    public const string HubManagement = "Event Hubs: hub and partition properties";
    public const string HubErrors = "Event Hubs: errors by their names";
    public const string Tokens = "Event Hubs: shared access tokens (audience, expiry)";
    public const string HubReconnect = "Event Hubs: resumes after a cut connection";
    public const string Checkpoints = "Event Hubs: blob checkpoint store, resume";
    public const string Balancing = "Event Hubs: load balancing and hand-over";
    public const string HubWebSockets = "Event Hubs: over WebSockets";
    public const string Idempotent = "Event Hubs: idempotent publishing is refused";

    public const string MessageSend = "Service Bus: send and receive, single and in batches";
    public const string MessageSizes = "Service Bus: size limit and refusal beyond it";
    public const string ReceiveAndDelete = "Service Bus: receive and delete";
    public const string Abandon = "Service Bus: abandon, delivery count";
    public const string Defer = "Service Bus: defer, receive by sequence number";
    public const string DeadLetters = "Service Bus: dead letters with reason";
    public const string SettleLater = "Service Bus: settle after the link has closed";
    public const string Locks = "Service Bus: lock expiry and renewal";
    public const string Processor = "Service Bus: processor with lock renewal";
    public const string Peek = "Service Bus: peek";
    public const string Scheduled = "Service Bus: scheduled messages and cancel";
    public const string TimeToLive = "Service Bus: time to live";
    public const string Duplicates = "Service Bus: duplicate detection";
    public const string Topics = "Service Bus: topics and subscriptions";
    public const string CorrelationRules = "Service Bus: correlation rules";
    public const string SqlRules = "Service Bus: SQL rules";
    public const string RuleActions = "Service Bus: rule actions are refused";
    public const string Forwarding = "Service Bus: forwarding";
    public const string EntityAdministration = "Service Bus: administration client";
    public const string Sessions = "Service Bus: sessions are refused";
    public const string QueueErrors = "Service Bus: errors by their names";
    public const string QueueReconnect = "Service Bus: continues after a cut connection";
    public const string QueueWebSockets = "Service Bus: over WebSockets";
    public const string Transactions = "Service Bus: transactions are refused";

    public const string Outcomes = "AMQP: settlement outcomes in two phases";
    public const string Drain = "AMQP: drain";
    public const string Heartbeats = "AMQP: idle time-out and heartbeats";

    public const string Containers = "Blobs: containers and their metadata";
    public const string PutBlob = "Blobs: put, overwrite, read";
    public const string BlobConditions = "Blobs: conditional requests";
    public const string Blocks = "Blobs: blocks and block lists, up to 100 MiB";
    public const string Ranges = "Blobs: ranges";
    public const string BlobProperties = "Blobs: metadata and properties";
    public const string Leases = "Blobs: leases of blobs and containers";
    public const string Lists = "Blobs: lists: flat, by folder, by page";
    public const string Copies = "Blobs: copy within the account";
    public const string SharedAccess = "Blobs: shared access signatures";
    public const string BlobErrors = "Blobs: errors by their codes";

    public static IReadOnlyList<string> All { get; } =
    [
        Send,
        PartitionId,
        PartitionKey,
        Buffered,
        Properties,
        Annotated,
        Sizes,
        Positions,
        WaitingTime,
        RuntimeMetric,
        ConsumerGroups,
        OwnerLevel,
        HubManagement,
        HubErrors,
        Tokens,
        HubReconnect,
        Checkpoints,
        Balancing,
        HubWebSockets,
        Idempotent,
        MessageSend,
        MessageSizes,
        ReceiveAndDelete,
        Abandon,
        Defer,
        DeadLetters,
        SettleLater,
        Locks,
        Processor,
        Peek,
        Scheduled,
        TimeToLive,
        Duplicates,
        Topics,
        CorrelationRules,
        SqlRules,
        RuleActions,
        Forwarding,
        EntityAdministration,
        Sessions,
        QueueErrors,
        QueueReconnect,
        QueueWebSockets,
        Transactions,
        Outcomes,
        Drain,
        Heartbeats,
        Containers,
        PutBlob,
        BlobConditions,
        Blocks,
        Ranges,
        BlobProperties,
        Leases,
        Lists,
        Copies,
        SharedAccess,
        BlobErrors,
    ];
}
