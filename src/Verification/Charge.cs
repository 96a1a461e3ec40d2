namespace EventHubThroughput.Verification;

/// <summary>One field of the verdict that breaks an invariant.</summary>
/// <param name="Field">The field's name as in the result file, such as <c>checkpointAhead</c>.</param>
/// <param name="Count">How often it was found.</param>
/// <param name="Example">The first finding in words, with partition and sequence number.</param>
public sealed record Charge(string Field, long Count, string Example);
