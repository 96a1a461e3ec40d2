using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>A verdict by what a namespace holds. The fields of which it has no trace are not judged, whether or not they were counted.</summary>
internal static class ReadBackEvidence
{
    public static JudgedRun Limit(JudgedRun judged, MessagingSettings settings) =>
        judged with
        {
            Unknown = ReadBackFields.Unknown,
            Verdict = judged.Verdict with { NotJudged = [.. judged.Verdict.NotJudged.Union(ReadBackFields.Unknown, StringComparer.Ordinal)] },
            Notes =
            [
                .. judged.Notes,
                $"read back from '{settings.EventHubName}', '{settings.MessageEntity}' and '{settings.ArchiveContainer}' without a journal",
                "checkpointAhead: only the final checkpoint of each partition",
            ],
        };
}
