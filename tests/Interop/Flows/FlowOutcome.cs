namespace EventHubThroughput.Interop;

/// <summary>One flow, as the support table needs it.</summary>
internal readonly record struct FlowOutcome(FlowClient Client, string Feature, bool Passed);
