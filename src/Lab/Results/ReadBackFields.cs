namespace EventHubThroughput.Lab.Results;

/// <summary>
/// What a namespace does not show. It holds what arrived and in which order. It does not hold when a write began, what was delivered, or which checkpoints came
/// before the last.
/// </summary>
internal static class ReadBackFields
{
    /// <summary>The fields of a verdict that it has no trace of.</summary>
    public static IReadOnlyList<string> Unknown { get; } =
    [
        "orderStartPartition",
        "orderStartKey",
        "overlapPartition",
        "overlapKey",
        "redundantDeadLetters",
        "duplicateBlob",
        "repeated",
        "checkpointRegressionWithin",
        "checkpointRegressionAcross",
        "delivered",
        "accounting",
        "replayed",
        "replayBound",
        "replayExact",
        "expired",
    ];
}
