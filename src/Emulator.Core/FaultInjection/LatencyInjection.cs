using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>
/// The profile in force. It may be changed while the emulator runs. Operations that have begun keep their plan, and later ones use the new profile. Every link
/// or endpoint has a separate latency, because its serial parts are separate.
/// </summary>
internal sealed class LatencyInjection(LatencyProfile profile, int seed, IDeadlines deadlines)
{
    private int _uses;
    private volatile ActiveProfile _inForce = new(profile, seed, deadlines.Clock);

    public LatencyProfile Profile => _inForce.Profile;

    /// <summary>The requested and the observed latency of each operation that occurred since the profile was set.</summary>
    public IReadOnlyList<ObservedLatency> Observed => _inForce.Observe();

    /// <summary>
    /// Sets a profile, or the same one again. Its times, quotas and counts begin now. Each call uses another random sequence, so that two measurements with one
    /// profile are two samples of it.
    /// </summary>
    public void Use(LatencyProfile profile) => _inForce = new ActiveProfile(profile, unchecked(seed + Interlocked.Increment(ref _uses)), deadlines.Clock);

    public ILatency CreateLatency() => new LinkLatency(this, deadlines);

    public OperationLatency Of(EmulatedOperation operation) => _inForce.Operations[(int)operation];
}
