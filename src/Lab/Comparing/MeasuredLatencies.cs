using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>The profile that the emulator kept, where it could not keep the requested one. The cell is compared with the model of the kept one.</summary>
internal static class MeasuredLatencies
{
    /// <summary>The same laws with the means that were kept, deviations in proportion. The serial part is unchanged, because its wait is not longer.</summary>
    public static LatencyProfile Of(LatencyProfile asked, IEnumerable<InjectedLatency> kept) =>
        kept.Where(static row => row.IsMissed).Aggregate(asked, static (profile, row) => With(profile, row));

    private static LatencyProfile With(LatencyProfile profile, InjectedLatency row)
    {
        var operation = LatencyProfile.Operations.First(known => ProfileReader.GetName(known) == row.Operation);
        var law = profile.Of(operation);
        if (law.MeanMilliseconds <= 0)
        {
            return profile;
        }

        var mean = Math.Max(0, law.MeanMilliseconds + row.MeanMs - row.AskedMeanMs);
        return profile.With(operation, law with { MeanMilliseconds = mean, DeviationMilliseconds = law.DeviationMilliseconds * mean / law.MeanMilliseconds });
    }
}
