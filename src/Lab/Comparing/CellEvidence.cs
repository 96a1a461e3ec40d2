using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>What the services have of a cell.</summary>
/// <param name="Latencies">The latencies that the emulator kept. Empty for other services.</param>
/// <param name="Verdict">The verdict by what was read back. Null where the verdict comes when all cells have ended.</param>
internal sealed record CellEvidence(IReadOnlyList<InjectedLatency> Latencies, VerdictReport? Verdict = null);
