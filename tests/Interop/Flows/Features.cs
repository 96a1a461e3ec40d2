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
    public const string RuntimeMetric = "Event Hubs: last enqueued event told while reading";
    public const string ConsumerGroups = "Event Hubs: consumer groups";
    public const string OwnerLevel = "Event Hubs: owner levels and eviction";
    public const string HubManagement = "Event Hubs: hub and partition properties";
    public const string HubErrors = "Event Hubs: errors by their names";
    public const string Tokens = "Event Hubs: shared access tokens (audience, expiry)";
    public const string HubReconnect = "Event Hubs: resumes after a cut connection";
    public const string Checkpoints = "Event Hubs: blob checkpoint store, resume";
    public const string Balancing = "Event Hubs: load balancing and hand-over";

    public static IReadOnlyList<string> All { get; } =
    [
        Send, PartitionId, PartitionKey, Buffered, Properties, Annotated, Sizes, Positions, WaitingTime, RuntimeMetric, ConsumerGroups,
        OwnerLevel, HubManagement, HubErrors, Tokens, HubReconnect, Checkpoints, Balancing,
    ];
}
