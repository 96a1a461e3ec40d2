using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>
/// Kills and restarts consumers, strategy after strategy. Several cycles share one emulator and one backlog, so that a cycle costs
/// little more than the start of a process.
/// </summary>
internal sealed class Supervisor(SupervisionPlan plan, TextWriter error, TimeProvider clock)
{
    private const int CyclesPerBacklog = 25;

    /// <summary>Gives the tallies, one for each strategy.</summary>
    public async Task<IReadOnlyList<SupervisionTally>> RunAsync(CancellationToken cancellationToken)
    {
        var tallies = plan.Strategies.Select(strategy => new SupervisionTally(strategy.Name)).ToList();
        foreach (var (place, strategy) in plan.Strategies.Index())
        {
            // What cannot be divided evenly, the first strategies get.
            var (each, over) = Math.DivRem(plan.Cycles, plan.Strategies.Count);
            var share = each + (place < over ? 1 : 0);
            var tally = tallies[place];
            var started = clock.GetTimestamp();
            foreach (var backlog in BacklogsOf(strategy, share, plan.Seed + place, tally))
            {
                await backlog(cancellationToken);
                tally.Elapsed = clock.GetElapsedTime(started);
                await error.WriteLineAsync($"{strategy.Name}: {Counted.Of(tally.Cycles, "cycle")}, {tally.AsAsked} {plan.Deed}, lost {tally.Lost}");
            }
        }

        return tallies;
    }

    private IEnumerable<Func<CancellationToken, Task>> BacklogsOf(StrategyDescriptor strategy, int cycles, int seed, SupervisionTally tally)
    {
        if (plan.Owners is { } owners)
        {
            return HandoverScript
                .Of(owners, cycles, seed)
                .Chunk(CyclesPerBacklog)
                .Select(some => (Func<CancellationToken, Task>)(token => new SharedBacklog(plan, owners, strategy, tally, clock).RunAsync(some, token)));
        }

        var ends = plan.Drains ? KillSequence.OfDrains(cycles, seed) : KillSequence.Of(plan.Points, cycles, seed);
        return ends.Chunk(CyclesPerBacklog)
            .Select(some => (Func<CancellationToken, Task>)(token => new SupervisedBacklog(plan, strategy, tally, clock).RunAsync(some, token)));
    }

    /// <summary>The exit code that the tallies amount to: every promise kept, or not.</summary>
    public static int CodeOf(IReadOnlyList<SupervisionTally> tallies) =>
        tallies.All(tally => tally.Failures.Count == 0) ? ExitCode.Done : ExitCode.VerificationFailed;
}
