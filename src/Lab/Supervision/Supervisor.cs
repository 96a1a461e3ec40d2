using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>
/// Kills and restarts consumers, strategy after strategy. Several cycles share one emulator and one backlog, so that a cycle costs
/// little more than the start of a process.
/// </summary>
internal sealed class Supervisor(SupervisionPlan plan, TextWriter error, TimeProvider clock)
{
    /// <summary>Returns the counters, one for each strategy.</summary>
    public async Task<IReadOnlyList<SupervisionCounters>> RunAsync(CancellationToken cancellationToken)
    {
        var tallies = plan.Strategies.Select(strategy => new SupervisionCounters(strategy.Label)).ToList();
        var dealt = KillSchedule.Deal(plan.Strategies.Count, plan.Kinds, plan.Cycles);
        foreach (var (place, strategy) in plan.Strategies.Index())
        {
            var tally = tallies[place];
            var started = clock.GetTimestamp();
            await EndAllAsync(strategy, dealt[place], plan.Seed + place, tally, cancellationToken);
            tally.Elapsed = clock.GetElapsedTime(started);
        }

        return tallies;
    }

    private async Task EndAllAsync(
        StrategyDescriptor strategy,
        IReadOnlyList<int> kinds,
        int seed,
        SupervisionCounters tally,
        CancellationToken cancellationToken
    )
    {
        if (plan.Owners is { } owners)
        {
            foreach (var some in HandoverScript.For(owners, kinds, seed).Chunk(BacklogLoad.MostCycles))
            {
                await new SharedBacklog(plan, owners, strategy, tally, clock).RunAsync(some, cancellationToken);
                await SayAsync(tally);
            }

            return;
        }

        var cycles = plan.Drains ? KillSequence.ForDrains(kinds, seed) : KillSequence.ForKills(kinds.Select(kind => plan.Points[kind]), seed);
        var load = new BacklogLoad(plan.OptionsOf(strategy, string.Empty));
        var rounds = new KillRounds(
            load,
            async (some, token) =>
            {
                var ended = await new SupervisedBacklog(plan, load, strategy, tally, clock).RunAsync(some, token);
                await SayAsync(tally);
                return ended;
            },
            tally,
            error.WriteLineAsync
        );
        await rounds.RunAsync(cycles, cancellationToken);
    }

    private Task SayAsync(SupervisionCounters tally) =>
        error.WriteLineAsync($"{tally.Strategy}: {Plural.Format(tally.Cycles, "cycle")}, {tally.AsAsked} {plan.Deed}, lost {tally.Lost}");

    /// <summary>The exit code that follows from the counters: every promise kept, or not.</summary>
    public static int CodeOf(IReadOnlyList<SupervisionCounters> tallies) =>
        tallies.All(tally => tally.Failures.Count == 0) ? ExitCode.Done : ExitCode.VerificationFailed;
}
