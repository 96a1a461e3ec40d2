using System.Globalization;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>
/// Where a run may be asked to kill its own process. A crash leaves a different state at each of them. Their numbers are those of the codes, K1 to K14.
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

/// <summary>The kill points by code and in words, for command line, help, results and documents.</summary>
internal static class KillPoints
{
    /// <summary>Every point that a run can reach, in their order.</summary>
    public static IReadOnlyList<KillPoint> All { get; } = [.. Enum.GetValues<KillPoint>().Where(point => point != KillPoint.None)];

    /// <summary>The code, as in the option.</summary>
    public static string Code(this KillPoint point) => point == KillPoint.None ? "none" : string.Create(CultureInfo.InvariantCulture, $"K{(int)point}");

    /// <summary>The point of a code. None for a text that is not a code.</summary>
    public static KillPoint Parse(string code) => All.FirstOrDefault(point => point.Code() == code);

    /// <summary>The step during which the process ends.</summary>
    public static string Words(this KillPoint point) =>
        point switch
        {
            KillPoint.BeforeFirstWrite => "a batch was read, none of its events has been written",
            KillPoint.MessageOnTheWire => "a message was sent completely, its answer has not been read",
            KillPoint.AfterMessageAcknowledged => "a message was stored, its blob is not acknowledged",
            KillPoint.BlobHalfSent => "half of a blob's body was sent",
            KillPoint.AfterBlobStored => "a blob was stored, its answer was read and not yet processed",
            KillPoint.AfterEventCompleted => "both sinks have an event, the watermark has not moved",
            KillPoint.AfterWatermarkMoved => "the watermark has moved, its checkpoint is not started",
            KillPoint.CheckpointOnTheWire => "a checkpoint is being sent",
            KillPoint.AfterCheckpointStored => "a checkpoint was stored, its answer was not yet processed",
            KillPoint.BeforeBatchEnd => "a batch was handed over, its end has not been reached",
            KillPoint.BeforeLastCheckpoint => "a partition has drained, its last checkpoint is not started",
            KillPoint.ReleaseOnTheWire => "the release of an ownership is being sent",
            KillPoint.BeforeResultInPlace => "the result file was written, it has not been renamed yet",
            KillPoint.DeadLetterHalfSent => "half of a dead letter's body was sent",
            _ => "nowhere",
        };
}
