using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Pump.Tests.Doubles;

/// <summary>Counts the reports to the observers of an ownership.</summary>
internal sealed class PumpCounts : PartitionObserver
{
    private readonly List<(int Sink, AfterFailure Next)> failures = [];
    private readonly List<int> cuts = [];
    private IPartitionLoad? load;

    /// <summary>Events complete, those among the dead letters left out.</summary>
    public int Done { get; private set; }

    public int DeadLettered { get; private set; }

    /// <summary>Events that became complete while an earlier one was not.</summary>
    public int OutOfOrder { get; private set; }

    public int Late { get; private set; }

    public int InFlight => load?.InFlight ?? 0;

    /// <summary>Tries that failed and were repeated.</summary>
    public int Retries => failures.Count(static failed => failed.Next == AfterFailure.TriedAgain);

    /// <summary>Writes of a sink that failed for good.</summary>
    public int FailuresAt(int sink) => failures.Count(failed => failed.Sink == sink && failed.Next != AfterFailure.TriedAgain);

    /// <summary>Writes of a sink that were cut.</summary>
    public int CutAt(int sink) => cuts.Count(cut => cut == sink);

    public override void Opened(IPartitionLoad load, EventPosition? startedFrom) => this.load = load;

    public override void Completed(in EventCompletion completion)
    {
        Done += completion.DeadLettered ? 0 : 1;
        DeadLettered += completion.DeadLettered ? 1 : 0;
        OutOfOrder += completion.Passed == 0 ? 1 : 0;
    }

    public override void CompletedLate() => Late++;

    public override void TryFailed(int sink, MessagingException failure, AfterFailure next) => failures.Add((sink, next));

    public override void WriteCut(int sink) => cuts.Add(sink);
}
