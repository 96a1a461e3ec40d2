namespace EventHubThroughput.Interop;

/// <summary>
/// What an official SDK was seen to do on the emulator, by hand: its packages are not on every feed, so no test of this repository
/// can need them. Whoever tries again changes the date, the versions and the rows.
/// </summary>
/// <param name="Client">The column's heading.</param>
/// <param name="Versions">As docs/protocols.md names them.</param>
/// <param name="Passed">Features whose checks passed.</param>
internal sealed record TriedByHand(string Client, DateOnly Date, IReadOnlyList<string> Versions, IReadOnlyCollection<string> Passed)
{
    public static IReadOnlyList<TriedByHand> All { get; } =
    [
        new(
            "official .NET",
            new DateOnly(2026, 11, 22),
            ["Azure.Messaging.EventHubs and its Processor 5.11.3", "Azure.Messaging.ServiceBus 7.20.1", "Azure.Storage.Blobs 12.24.0"],
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
            ]),
        new(
            "official Go",
            new DateOnly(2026, 11, 22),
            ["`azeventhubs/v2` 2.0.0", "`azservicebus` 1.10.0", "`azblob` 1.6.2"],
            [
                Features.Send, Features.PartitionId, Features.PartitionKey, Features.Properties, Features.Annotated, Features.Sizes, Features.Positions,
                Features.WaitingTime, Features.ConsumerGroups, Features.OwnerLevel, Features.HubManagement, Features.HubErrors, Features.Tokens,
                Features.HubReconnect, Features.Checkpoints, Features.Balancing,
                Features.MessageSend, Features.MessageSizes, Features.ReceiveAndDelete, Features.Abandon, Features.Defer, Features.DeadLetters,
                Features.SettleLater, Features.Locks, Features.Peek, Features.Scheduled, Features.TimeToLive, Features.Duplicates, Features.Topics,
                Features.Forwarding, Features.Sessions, Features.QueueReconnect,
                Features.Containers, Features.PutBlob, Features.BlobConditions, Features.Blocks, Features.Ranges, Features.BlobProperties, Features.Leases,
                Features.Lists, Features.Copies, Features.SharedAccess, Features.BlobErrors,
            ]),
        new(
            "official Java",
            new DateOnly(2026, 11, 22),
            ["`azure-messaging-eventhubs` 5.5.0", "`azure-messaging-servicebus` 7.0.2", "`azure-storage-blob` 12.10.0"],
            [
                Features.Send, Features.PartitionId, Features.PartitionKey, Features.Sizes, Features.Positions, Features.WaitingTime,
                Features.RuntimeMetric, Features.ConsumerGroups, Features.OwnerLevel, Features.HubManagement, Features.HubErrors,
                Features.Checkpoints, Features.Balancing,
                Features.MessageSend, Features.MessageSizes, Features.ReceiveAndDelete, Features.Abandon, Features.Defer, Features.DeadLetters,
                Features.Locks, Features.Peek, Features.Scheduled, Features.TimeToLive, Features.Duplicates, Features.Topics,
                Features.Forwarding, Features.Sessions, Features.QueueErrors, Features.Transactions,
                Features.Containers, Features.PutBlob, Features.BlobConditions, Features.Blocks, Features.Ranges, Features.BlobProperties,
                Features.Leases, Features.Lists, Features.Copies, Features.SharedAccess, Features.BlobErrors,
            ]),
    ];
}
