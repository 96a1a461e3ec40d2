using EventHubThroughput.Consumer.Embedded;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Journal;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>
/// One backlog, worked off by consumers that are killed one after another and by a last one that is not; the verdict covers them all.
/// </summary>
internal sealed class SupervisedBacklog(SupervisionPlan plan, StrategyDescriptor strategy, SupervisionTally tally, TimeProvider clock)
{
    // What the deepest cycle of the sequence uses up, with what it has in flight.
    private const int EventsPerCycle = 200;

    // A dead letter needs an event that the queue refuses for good.
    private const string PoisonFault = "poison-message";

    private readonly int endsBefore = tally.AsAsked;
    private string owner = NewOwner();
    private int restarts;

    /// <summary>Kills and restarts as the cycles say, then lets one consumer finish and judges.</summary>
    public async Task RunAsync(IReadOnlyCollection<KillCycle> cycles, CancellationToken cancellationToken)
    {
        var run = $"kill-{Guid.NewGuid().ToString("n")[..8]}";
        var embedded = plan.Options.Embedded!;
        var load = embedded with { Events = EventsPerCycle * (cycles.Count + 1), Keep = embedded.Keep is null ? null : Path.Combine(embedded.Keep, run) };
        await using var services = await EmbeddedServices.StartAsync(run, load, TextWriter.Null, clock, cancellationToken);
        using (var watch = new RestartWatch(JournalTail.Open(services.Journal)))
        {
            foreach (var cycle in cycles)
            {
                await EndOnceAsync(cycle, run, services, watch, cancellationToken);
            }

            await FinishAsync(run, services, watch, cancellationToken);
        }

        await services.EndAsync();
        tally.Judge(plan, strategy, run, services, (tally.AsAsked - endsBefore) * plan.ReplayOfOneEnd);
    }

    private static string NewOwner() => $"consumer-{Guid.NewGuid():n}";

    private async Task EndOnceAsync(KillCycle cycle, string run, EmbeddedServices services, RestartWatch watch, CancellationToken cancellationToken)
    {
        var order = cycle.Order;
        var same = Restart(cycle.SameOwner);
        var results = Path.Combine(Path.GetDirectoryName(services.Journal)!, "killed.json");
        IEnumerable<string> arguments =
        [
            .. ArgumentsOf(run),
            .. order.Point == KillPoint.None ? Array.Empty<string>() : ["--kill-at", order.ToString()],
            .. order.Point == KillPoint.K13 ? ["--output", results] : Array.Empty<string>(),
            .. order.Point == KillPoint.K14 ? ["--on-poison", "deadletter"] : Array.Empty<string>(),
        ];
        if (order.Point == KillPoint.K14)
        {
            using var administration = new EmulatorAdministration(services.Variables);
            await administration.ArmFaultsAsync(PoisonFault, cancellationToken);
        }

        var end = await SupervisedConsumer.RunAsync(arguments, owner, cycle.DrainAfter, services.Variables, watch, clock, cancellationToken);
        tally.Count(order.Point, end);
        Recovered(end, same);
        if (end.Code is not (ConsumerEnd.Killed or ExitCode.Done))
        {
            tally.Failures.Add(
                $"{strategy.Name}, cycle {tally.Cycles}: {(plan.Drains ? "draining" : $"killed at {order}")} it ended with code {end.Code}: {end.LastWords}"
            );
        }
    }

    private async Task FinishAsync(string run, EmbeddedServices services, RestartWatch watch, CancellationToken cancellationToken)
    {
        var same = Restart(sameOwner: restarts % 2 == 0);
        var end = await SupervisedConsumer.RunAsync(ArgumentsOf(run), owner, null, services.Variables, watch, clock, cancellationToken);
        Recovered(end, same);
        if (end.Code != ExitCode.Done)
        {
            tally.Failures.Add($"{strategy.Name}: the last run ended with code {end.Code}: {end.LastWords}");
        }
    }

    private bool Restart(bool sameOwner)
    {
        owner = sameOwner ? owner : NewOwner();
        restarts++;
        return sameOwner;
    }

    // The first consumer of a backlog recovers from nothing.
    private void Recovered(ConsumerEnd end, bool sameOwner)
    {
        if (restarts > 1)
        {
            tally.Recovered(end, sameOwner);
        }
    }

    private IEnumerable<string> ArgumentsOf(string run) =>
        ["run", "--strategy", strategy.Name, "--run", run, "--identifier", owner, "--no-metrics", .. plan.Arguments];
}
