using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>
/// The profile in force, which may be changed while the emulator runs: what has begun ends as it was planned, what comes next
/// follows the new one. Every link or endpoint asks for a latency of its own, because the serial parts are its own.
/// </summary>
internal sealed class LatencyInjection(LatencyProfile profile, int seed, IDeadlines deadlines)
{
    private int _uses;
    private volatile ActiveProfile _inForce = new(profile, seed, deadlines.Clock);

    public LatencyProfile Profile => _inForce.Profile;

    /// <summary>What was asked for and what was done, per operation that occurred since the profile was set.</summary>
    public IReadOnlyList<ObservedLatency> Observed => _inForce.Observe();

    /// <summary>
    /// Puts another profile in force, or the same one again. Its times, quotas and counts begin now. What it draws is another sequence each time,
    /// so that what is measured with one profile twice is measured with two samples of it.
    /// </summary>
    public void Use(LatencyProfile profile) => _inForce = new ActiveProfile(profile, unchecked(seed + Interlocked.Increment(ref _uses)), deadlines.Clock);

    public ILatency CreateLatency() => new LinkLatency(this, deadlines);

    public OperationLatency Of(EmulatedOperation operation) => _inForce.Operations[(int)operation];
}
