using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Invariants;

/// <summary>
/// Invariant I4 for strategies that promise the order of a partition: no event is begun while an earlier one is not complete. The
/// order of keys is judged by the journal alone.
/// </summary>
internal sealed class OrderCheck(string partition, StrategyDescriptor strategy, DeliveredEvents delivered, RunFaults faults)
{
    private readonly bool promised = strategy.Ordering == OrderingGuarantee.Partition;

    /// <exception cref="RunFaultException">An earlier event is not complete.</exception>
    public void BeforeWriting(long sequence)
    {
        if (promised && delivered.FirstOpen is { } open && open < sequence)
        {
            throw faults.Report(
                ExitCode.InvariantBreached,
                $"strategy '{strategy.Name}' promises order, but began event {sequence} of partition {partition} before event {open} was complete ({delivered.Around(open)})"
            );
        }
    }
}
