namespace EventHubThroughput.Interop;

/// <summary>
/// What the official .NET SDKs were seen to do on the emulator, by hand: their packages are not on every feed, so no test of this
/// repository can need them. Whoever tries again changes the date, the versions and the rows.
/// </summary>
internal static class TriedByHand
{
    public const string Date = "2026-11-22";

    public const string Versions =
        "Azure.Messaging.EventHubs and Azure.Messaging.EventHubs.Processor 5.11.3, Azure.Messaging.ServiceBus 7.20.1, Azure.Storage.Blobs 12.24.0";

    /// <summary>Features whose checks passed.</summary>
    public static IReadOnlyCollection<string> Passed { get; } =
    [
        Features.Send, Features.PartitionId, Features.PartitionKey, Features.Buffered, Features.Properties, Features.Sizes, Features.Positions,
        Features.Annotated, Features.WaitingTime, Features.ConsumerGroups, Features.Tokens, Features.HubReconnect,
        Features.RuntimeMetric, Features.OwnerLevel, Features.HubManagement, Features.HubErrors, Features.Checkpoints, Features.Balancing,
        Features.MessageSend, Features.MessageSizes, Features.ReceiveAndDelete, Features.Abandon, Features.Defer, Features.DeadLetters, Features.Locks,
        Features.Processor, Features.Peek, Features.Scheduled, Features.TimeToLive, Features.Duplicates, Features.Topics, Features.CorrelationRules,
        Features.SqlRules, Features.RuleActions, Features.Forwarding, Features.EntityAdministration, Features.Sessions, Features.Transactions,
        Features.QueueErrors,
        Features.SettleLater, Features.QueueReconnect,
        Features.Containers, Features.PutBlob, Features.BlobConditions, Features.Blocks, Features.Ranges, Features.BlobProperties, Features.Leases,
        Features.Lists, Features.Copies, Features.SharedAccess, Features.BlobErrors,
    ];
}
