using System.Globalization;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>
/// Where a run may be asked to kill its own process: a crash leaves something different behind at each of them. Their numbers are those of
/// the codes, K1 to K14.
/// </summary>
internal enum KillPoint
{
    /// <summary>Nowhere.</summary>
    None,
    BeforeFirstWrite,
    MessageOnTheWire,
    AfterMessageAcknowledged,
    BlobHalfSent,
    AfterBlobStored,
    AfterEventCompleted,
    AfterWatermarkMoved,
    CheckpointOnTheWire,
    AfterCheckpointStored,
    BeforeBatchEnd,
    BeforeLastCheckpoint,
    ReleaseOnTheWire,
    BeforeResultInPlace,
    DeadLetterHalfSent,
}

/// <summary>The kill points by code and in words, as command line, help, results and documents have them.</summary>
internal static class KillPoints
{
    /// <summary>Every point that a run can reach, in their order.</summary>
    public static IReadOnlyList<KillPoint> All { get; } = [.. Enum.GetValues<KillPoint>().Where(point => point != KillPoint.None)];

    /// <summary>What a user types.</summary>
    public static string Code(this KillPoint point) => point == KillPoint.None ? "none" : string.Create(CultureInfo.InvariantCulture, $"K{(int)point}");

    /// <summary>The point of a code; none for a text that is no code.</summary>
    public static KillPoint Parse(string code) => All.FirstOrDefault(point => point.Code() == code);

    /// <summary>What the process dies in the middle of.</summary>
    public static string Words(this KillPoint point) =>
        point switch
        {
            KillPoint.BeforeFirstWrite => "a batch has been read, none of its events has been written",
            KillPoint.MessageOnTheWire => "a message is on the wire whole, its answer has not been read",
            KillPoint.AfterMessageAcknowledged => "Service Bus has an event, the blob store has not acknowledged it",
            KillPoint.BlobHalfSent => "the first half of a blob's body has been sent",
            KillPoint.AfterBlobStored => "a blob is stored, its answer has come, nobody has acted on it",
            KillPoint.AfterEventCompleted => "both sinks have an event, the watermark does not know",
            KillPoint.AfterWatermarkMoved => "the watermark has moved, no checkpoint has been begun for that",
            KillPoint.CheckpointOnTheWire => "a checkpoint is on the wire",
            KillPoint.AfterCheckpointStored => "a checkpoint is stored, nobody has acted on its answer",
            KillPoint.BeforeBatchEnd => "all of a batch has been handed over, its end has not been reached",
            KillPoint.BeforeLastCheckpoint => "a partition has drained, its last checkpoint has not been begun",
            KillPoint.ReleaseOnTheWire => "the release of an ownership is on the wire",
            KillPoint.BeforeResultInPlace => "the result file has been written, it is not in its place yet",
            KillPoint.DeadLetterHalfSent => "the first half of a dead letter's body has been sent",
            _ => "nowhere",
        };
}
