using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>A profile since it was set.</summary>
internal sealed class ActiveProfile
{
    public ActiveProfile(LatencyProfile profile, int seed, TimeProvider clock)
    {
        Profile = profile;
        Dictionary<RateQuota, QuotaMeter> meters = new(ReferenceEqualityComparer.Instance);
        Operations =
        [
            .. LatencyProfile.Operations.Select(operation => new OperationLatency(
                operation,
                profile,
                GetMeter(profile.GetQuota(operation)),
                new Random(GetSeed(seed, (int)operation)),
                clock
            )),
        ];

        // A quota that several operations share has one meter.
        QuotaMeter? GetMeter(RateQuota quota)
        {
            if (quota.IsNone)
            {
                return null;
            }

            if (!meters.TryGetValue(quota, out var meter))
            {
                meters.Add(quota, meter = new QuotaMeter(quota, clock.TimestampFrequency));
            }

            return meter;
        }
    }

    public LatencyProfile Profile { get; }

    /// <summary>The operations by their number.</summary>
    public OperationLatency[] Operations { get; }

    public IReadOnlyList<ObservedLatency> Observe() =>
        [.. Operations.Select(static operation => operation.Observe()).Where(static row => row.Count > 0 || row.Throttles > 0)];

    // Neighbouring seeds and operations must not share a sequence. A hash that differs between runs is not allowed either.
    private static int GetSeed(int seed, int operation) => unchecked((seed * 486_187_739) + (operation * 16_777_619));
}
