using EventHubThroughput.Profiles;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>The requests of a balancing cycle up to the stored claim, one after another.</summary>
internal static class ClaimRequests
{
    // The official processor also asks for the partitions. The renewals of other partitions are concurrent, and the claim is the last request.
    private static readonly EmulatedOperation[] InTurn =
    [
        EmulatedOperation.Management,
        EmulatedOperation.OwnershipWrite,
        EmulatedOperation.BlobList,
        EmulatedOperation.OwnershipWrite,
    ];

    // Without latency: at most 2 ms of work and 0.3 ms of wake-up in the emulator (docs/laboratory.md), a timer of 1 ms, and the client's own work.
    private static readonly TimeSpan Own = TimeSpan.FromMilliseconds(5);

    // Fewer than 1 of 100 draws of a lognormal latency are longer than the mean with four deviations.
    private const double Deviations = 4;

    /// <summary>The longest time that they usually take.</summary>
    /// <param name="profile">The latency profile, by its name or file.</param>
    public static TimeSpan LimitOf(string profile)
    {
        var latencies = ProfileReader.Of(profile);
        return InTurn.Aggregate(TimeSpan.Zero, (time, operation) => time + Own + LimitOf(latencies.Of(operation)));
    }

    private static TimeSpan LimitOf(LatencyLaw law) => TimeSpan.FromMilliseconds(law.TotalMeanMilliseconds + (Deviations * law.DeviationMilliseconds));
}
