namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>Makes the latencies of one profile; every link or endpoint asks for its own, because the serial parts are its own.</summary>
internal sealed class LatencyLaboratory
{
    private readonly LatencyProfile _profile;
    private readonly IDeadlines _deadlines;
    private readonly OperationLatency[] _operations;

    public LatencyLaboratory(LatencyProfile profile, int seed, IDeadlines deadlines)
    {
        _profile = profile;
        _deadlines = deadlines;
        _operations = [.. Enum.GetValues<EmulatedOperation>().Select(
            operation => new OperationLatency(operation, profile.Of(operation), new Random(HashCode(seed, (int)operation))))];
    }

    /// <summary>What was asked for and what was done, per operation that occurred.</summary>
    public IReadOnlyList<ObservedLatency> Observed => [.. _operations.Select(static operation => operation.Observe()).Where(static row => row.Count > 0)];

    public ILatency CreateLatency() =>
        _operations.All(operation => _profile.Of(operation.Operation).IsZero) ? NoLatency.Instance : new QueuedLatency(_operations, _deadlines);

    // Neighbouring seeds and operations must not share a sequence; no run-dependent hash either.
    private static int HashCode(int seed, int operation) => unchecked((seed * 486_187_739) + (operation * 16_777_619));
}
