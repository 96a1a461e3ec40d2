using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>
/// One backlog, processed by consumers that are killed one after another, and by a last one that is not. The verdict covers them all.
/// </summary>
internal sealed class SupervisedBacklog(
    SupervisionPlan plan,
    BacklogLoad backlog,
    StrategyDescriptor strategy,
    SupervisionCounters counters,
    TimeProvider clock
)
{
    // A dead letter needs an event that the queue always refuses.
    private const string PoisonFault = "poison-message";

    private readonly int endsBefore = counters.AsAsked;
    private string owner = NewOwner();
    private int restarts;
    private TimeSpan limit;

    /// <summary>
    /// Kills and restarts according to the cycles, then lets one consumer finish and judges. Stops at a cycle that ended no consumer, whose consumer may have
    /// left nothing to the others. Returns how many of the cycles came before it, or all.
    /// </summary>
    public async Task<int> RunAsync(IReadOnlyList<KillCycle> cycles, CancellationToken cancellationToken)
    {
        var run = $"kill-{Guid.NewGuid().ToString("n")[..8]}";
        var embedded = plan.Options.Load!;
        var load = embedded with { Events = backlog.GetEvents(cycles), Keep = embedded.Keep is null ? null : Path.Combine(embedded.Keep, run) };
        limit = SupervisedConsumer.LimitFor(load.Events);
        var ended = 0;
        await using var services = await EmbeddedServices.StartAsync(run, load, clock, cancellationToken);
        using (var watch = new RestartWatch(JournalTail.Open(services.Journal)))
        {
            while (ended < cycles.Count && await EndOnceAsync(cycles[ended], run, services, watch, cancellationToken))
            {
                ended++;
            }

            await FinishAsync(run, services, watch, cancellationToken);
        }

        await services.EndAsync();
        counters.Judge(plan, strategy, run, services, (counters.AsAsked - endsBefore) * plan.ReplayOfOneEnd(strategy));
        return ended;
    }

    private static string NewOwner() => $"consumer-{Guid.NewGuid():n}";

    private async Task<bool> EndOnceAsync(KillCycle cycle, string run, EmbeddedServices services, RestartWatch watch, CancellationToken cancellationToken)
    {
        var order = cycle.Order;
        var same = Restart(cycle.SameOwner);
        var usual = GetOptions(run);
        var options = usual with
        {
            KillAt = order,
            Outputs = usual.Outputs with
            {
                Result = order.Point == KillPoint.BeforeResultInPlace ? Path.Combine(Path.GetDirectoryName(services.Journal)!, "killed.json") : null,
            },
            Processing = usual.Processing with { OnPoison = order.Point == KillPoint.DeadLetterHalfSent ? PoisonPolicy.DeadLetter : usual.Processing.OnPoison },
        };
        var poisons = order.Point == KillPoint.DeadLetterHalfSent;
        using var administration = new EmulatorAdministration(services.Variables);
        await (poisons ? administration.ArmFaultsAsync(PoisonFault, cancellationToken) : Task.CompletedTask);
        var end = await SupervisedConsumer.RunAsync(options, cycle.DrainAfter, services.Variables, watch, limit, clock, cancellationToken);

        // The next consumer has no place for dead letters, and would wait for the queue to take the event.
        await (poisons ? administration.HoldFaultsAsync(cancellationToken) : Task.CompletedTask);
        Recovered(end, same);
        if (end.Code is not (ConsumerEnd.Killed or ExitCode.Done))
        {
            counters.Failures.Add(
                $"{strategy.Name}, cycle {counters.Cycles + 1}: {(plan.Drains ? "draining" : $"to be killed at {order}")} it ended with code {end.Code}: {end.LastErrors}"
            );
        }

        var wasEnded = plan.Drains ? end.WasAsked : end.Code == ConsumerEnd.Killed;
        if (wasEnded)
        {
            counters.Count(order.Point, end);
        }

        return wasEnded;
    }

    private async Task FinishAsync(string run, EmbeddedServices services, RestartWatch watch, CancellationToken cancellationToken)
    {
        var same = Restart(sameOwner: restarts % 2 == 0);
        var end = await SupervisedConsumer.RunAsync(GetOptions(run), null, services.Variables, watch, limit, clock, cancellationToken);
        Recovered(end, same);
        if (end.Code != ExitCode.Done)
        {
            counters.Failures.Add($"{strategy.Name}: the last run ended with code {end.Code}: {end.LastErrors}");
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
            counters.Recovered(end, sameOwner);
        }
    }

    private RunOptions GetOptions(string run) => plan.GetStart(strategy, run).With(processing => processing with { Identifier = owner });
}
