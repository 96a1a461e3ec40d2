using EventHubThroughput.Consumer.Pipeline;

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
            var cycles = plan.Drains ? KillSequence.OfDrains(share, plan.Seed + place) : KillSequence.Of(plan.Points, share, plan.Seed + place);
            var tally = tallies[place];
            var started = clock.GetTimestamp();
            foreach (var some in cycles.Chunk(CyclesPerBacklog))
            {
                await new SupervisedBacklog(plan, strategy, tally, clock).RunAsync(some, cancellationToken);
                tally.Elapsed = clock.GetElapsedTime(started);
                await error.WriteLineAsync($"{strategy.Name}: {tally.Cycles} cycles, {tally.AsAsked} {(plan.Drains ? "drained" : "killed")}, lost {tally.Lost}");
            }
        }

        return tallies;
    }

    /// <summary>The exit code that the tallies amount to: every promise kept, or not.</summary>
    public static int CodeOf(IReadOnlyList<SupervisionTally> tallies) =>
        tallies.All(tally => tally.Failures.Count == 0) ? ExitCode.Done : ExitCode.VerificationFailed;
}
