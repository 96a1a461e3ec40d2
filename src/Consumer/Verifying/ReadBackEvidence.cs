using EventHubThroughput.Clients;

namespace EventHubThroughput.Consumer.Verifying;

/// <summary>
/// What a namespace cannot tell. It holds what arrived and in which order, not when a write began, what was delivered, or which
/// checkpoints came before the last: those fields are not judged, whatever was counted.
/// </summary>
internal static class ReadBackEvidence
{
    /// <summary>The fields of a verdict that it has no trace of.</summary>
    public static IReadOnlyList<string> Unknown { get; } =
    [
        "orderStartPartition",
        "orderStartKey",
        "overlapPartition",
        "overlapKey",
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

    public static JudgedRun Limit(JudgedRun judged, MessagingSettings settings) =>
        judged with
        {
            Unknown = Unknown,
            Verdict = judged.Verdict with { NotJudged = [.. judged.Verdict.NotJudged.Union(Unknown, StringComparer.Ordinal)] },
            Notes =
            [
                .. judged.Notes,
                $"read back from '{settings.EventHubName}', '{settings.MessageEntity}' and '{settings.ArchiveContainer}' without a journal",
                "checkpointAhead: only the final checkpoint of each partition",
            ],
        };
}
