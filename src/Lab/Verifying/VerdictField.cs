using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>What a number of the verdict means for the run.</summary>
internal enum FieldKind
{
    /// <summary>A count. Neither good nor bad.</summary>
    Counted,

    /// <summary>Any value except 0 breaks a promise.</summary>
    Promise,

    /// <summary>Any value except 0 breaks a promise of order in the partition, where that is promised.</summary>
    PartitionOrder,

    /// <summary>Any value except 0 breaks a promise of order by key, where that is promised.</summary>
    KeyOrder,
}

/// <summary>A number of the verdict.</summary>
/// <param name="Name">Its name in the result file.</param>
/// <param name="Kind">What it means for the run.</param>
/// <param name="Meaning">What is counted, in words.</param>
/// <param name="GetValue">Reads it. Null where the evidence does not contain it.</param>
internal sealed record VerdictField(string Name, FieldKind Kind, string Meaning, Func<SafetyFigures, long?> GetValue)
{
    public const string DuplicateServiceBus = "duplicateServiceBus";
    public const string ReplayBound = "replayBound";
    public const string Expired = "expired";

    /// <summary>Every number of the verdict.</summary>
    public static IReadOnlyList<VerdictField> All { get; } =
    [
        new("attempted", FieldKind.Counted, "events that the sender tried to send", static safety => safety.Attempted),
        new("acknowledged", FieldKind.Counted, "events that the service confirmed to the sender", static safety => safety.Acknowledged),
        new("delivered", FieldKind.Counted, "acknowledged events that were delivered to the consumer group", static safety => safety.Delivered),
        new("complete", FieldKind.Counted, "acknowledged events that each sink has, or that a dead letter records for it", static safety => safety.Complete),
        new("deadLettered", FieldKind.Counted, "events that are stored among the dead letters", static safety => safety.DeadLettered),
        new("lost", FieldKind.Promise, "acknowledged events that a sink lacks and no dead letter records for it", static safety => safety.Lost),
        new(
            "unclaimed",
            FieldKind.Counted,
            "not complete, beyond the checkpoints of a run that was planned to end before its backlog",
            static safety => safety.Unclaimed
        ),
        new("recovered", FieldKind.Counted, "events whose outcome the sender does not know, but complete", static safety => safety.Recovered),
        new("unexpected", FieldKind.Promise, "records at a sink that belong to no event of the run", static safety => safety.Unexpected),
        new("corrupt", FieldKind.Promise, "events of which a copy differs from what was sent", static safety => safety.Corrupt),
        new(
            DuplicateServiceBus,
            FieldKind.Counted,
            "copies in the queue beyond one for each event, explained or not",
            static safety => safety.DuplicateServiceBus
        ),
        new(
            "redundantDeadLetters",
            FieldKind.Counted,
            "dead letters that name a sink which had the event, explained or not",
            static safety => safety.RedundantDeadLetters
        ),
        new("duplicateBlob", FieldKind.Promise, "blobs that replaced another one of the same event", static safety => safety.DuplicateBlob),
        new("repeated", FieldKind.Counted, "uploads whose blob already existed with the same bytes", static safety => safety.Repeated),
        new(
            "orderStartPartition",
            FieldKind.PartitionOrder,
            "messages that began after the message of a later event of the partition",
            static safety => safety.OrderStartPartition
        ),
        new("orderStartKey", FieldKind.KeyOrder, "messages that began after the message of a later event of the key", static safety => safety.OrderStartKey),
        new(
            "orderEndPartition",
            FieldKind.PartitionOrder,
            "messages that were stored after the message of a later event of the partition",
            static safety => safety.OrderEndPartition
        ),
        new("orderEndKey", FieldKind.KeyOrder, "messages that were stored after the message of a later event of the key", static safety => safety.OrderEndKey),
        new(
            "overlapPartition",
            FieldKind.PartitionOrder,
            "events that began before the preceding event of the partition was complete",
            static safety => safety.OverlapPartition
        ),
        new("overlapKey", FieldKind.KeyOrder, "events that began before the preceding event of the key was complete", static safety => safety.OverlapKey),
        new("checkpoints", FieldKind.Counted, "checkpoints of the consumer group that were stored", static safety => safety.Checkpoints),
        new("checkpointAhead", FieldKind.Promise, "checkpoints at or beyond an event that was not yet complete", static safety => safety.CheckpointAhead),
        new(
            "checkpointRegressionWithin",
            FieldKind.Promise,
            "checkpoints of an owner that are not above its preceding one",
            static safety => safety.CheckpointRegressionWithin
        ),
        new(
            "checkpointRegressionAcross",
            FieldKind.Counted,
            "checkpoints below the last one of the preceding owner",
            static safety => safety.CheckpointRegressionAcross
        ),
        new("replayed", FieldKind.Counted, "deliveries of events of which a write had begun before", static safety => safety.Replayed),
        new("replayExact", FieldKind.Counted, "the most events that one crash or change of owner could make repeat", static safety => safety.ReplayExact),
        new(ReplayBound, FieldKind.Counted, "the limit of this number", static safety => safety.ReplayBound),
        new(Expired, FieldKind.Promise, "acknowledged events that retention removed before delivery", static safety => safety.Expired),
        new("accounting", FieldKind.Promise, "events that are complete and were never delivered", static safety => safety.Accounting),
    ];
}
