using EventHubThroughput.Profiles;

namespace EventHubThroughput.Model.Predicting;

/// <summary>The symbols of the closed forms, in milliseconds: the constant durations of a profile's operations.</summary>
/// <param name="Serial">s, the part of a send that is serial.</param>
/// <param name="Remaining">f, the rest of a send.</param>
/// <param name="Blob">b, an upload.</param>
/// <param name="BlobSerial">s_b, the part of an upload that is serial.</param>
/// <param name="Checkpoint">C, a checkpoint.</param>
/// <param name="Receive">L, from the request of a batch to its delivery.</param>
internal sealed record ConstantTimes(double Serial, double Remaining, double Blob, double BlobSerial, double Checkpoint, double Receive)
{
    /// <summary>S, a whole send.</summary>
    public double Send => Serial + Remaining;

    /// <summary>m, an event whose sinks are written concurrently.</summary>
    public double Longer => Math.Max(Send, Blob);

    /// <summary>The times of a profile. Null if they vary, or if anything except a serial part limits a rate.</summary>
    public static ConstantTimes? Of(LatencyProfile profile)
    {
        var laws = new[] { profile.MessageSend, profile.BlobWrite, profile.CheckpointWrite, profile.EventReceive };
        var isConstant =
            profile.Steps.Count == 0
            && profile.ServiceBusQuota.IsNone
            && profile.BlobQuota.IsNone
            && profile.Of(EmulatedOperation.EventDeliver).IsZero
            && (IsArticle(profile) || Array.TrueForAll(laws, IsConstant));
        return isConstant
            ? new ConstantTimes(
                profile.MessageSend.SerialMilliseconds,
                profile.MessageSend.MeanMilliseconds,
                profile.BlobWrite.SerialMilliseconds + profile.BlobWrite.MeanMilliseconds,
                profile.BlobWrite.SerialMilliseconds,
                profile.CheckpointWrite.SerialMilliseconds + profile.CheckpointWrite.MeanMilliseconds,
                profile.EventReceive.SerialMilliseconds + profile.EventReceive.MeanMilliseconds
            )
            : null;
    }

    // Its laws vary so little that their forms are right within a hundredth (docs/method.md).
    private static bool IsArticle(LatencyProfile profile) =>
        profile.MessageSend == LatencyProfiles.Article.MessageSend
        && profile.BlobWrite == LatencyProfiles.Article.BlobWrite
        && profile.CheckpointWrite == LatencyProfiles.Article.CheckpointWrite
        && profile.EventReceive == LatencyProfiles.Article.EventReceive;

    private static bool IsConstant(LatencyLaw law) => law is { DeviationMilliseconds: <= 0, StragglerEvery: 0, Concurrency: 0, IsPaced: false };
}
