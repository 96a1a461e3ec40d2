using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>A verdict with what it is about.</summary>
/// <param name="Verdict">The verdict.</param>
/// <param name="Scope">The run, hub, consumer group and destinations that it judges.</param>
/// <param name="Notes">What the evidence does not show.</param>
internal sealed record JudgedRun(Verdict Verdict, VerificationScope Scope, IReadOnlyList<string> Notes)
{
    /// <summary>Fields whose numbers mean nothing, because the evidence has no trace of them.</summary>
    public IReadOnlyCollection<string> Unknown { get; init; } = [];
}
