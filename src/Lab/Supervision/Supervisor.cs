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
        var allCounters = plan.Strategies.Select(strategy => new SupervisionCounters(strategy.Label)).ToList();
        var dealt = KillSchedule.Deal(plan.Strategies.Count, plan.Kinds, plan.Cycles);
        foreach (var (place, strategy) in plan.Strategies.Index())
        {
            var counters = allCounters[place];
            var started = clock.GetTimestamp();
            await EndAllAsync(strategy, dealt[place], plan.Seed + place, counters, cancellationToken);
            counters.Elapsed = clock.GetElapsedTime(started);
        }

        return allCounters;
    }

    private async Task EndAllAsync(
        StrategyDescriptor strategy,
        IReadOnlyList<int> kinds,
        int seed,
        SupervisionCounters counters,
        CancellationToken cancellationToken
    )
    {
        if (plan.Owners is { } owners)
        {
            foreach (var some in HandoverScript.For(owners, kinds, seed).Chunk(BacklogLoad.MostCycles))
            {
                await new SharedBacklog(plan, owners, strategy, counters, clock).RunAsync(some, cancellationToken);
                await WriteAsync(counters);
            }

            return;
        }

        var cycles = plan.Drains ? KillSequence.ForDrains(kinds, seed) : KillSequence.ForKills(kinds.Select(kind => plan.Points[kind]), seed);
        var load = new BacklogLoad(plan.GetOptions(strategy, string.Empty));
        var rounds = new KillRounds(
            load,
            async (some, token) =>
            {
                var ended = await new SupervisedBacklog(plan, load, strategy, counters, clock).RunAsync(some, token);
                await WriteAsync(counters);
                return ended;
            },
            counters,
            error.WriteLineAsync
        );
        await rounds.RunAsync(cycles, cancellationToken);
    }

    private Task WriteAsync(SupervisionCounters counters) =>
        error.WriteLineAsync($"{counters.Strategy}: {Plural.Format(counters.Cycles, "cycle")}, {counters.AsAsked} {plan.Deed}, lost {counters.Lost}");

    /// <summary>The exit code that follows from the counters: every promise kept, or not.</summary>
    public static int GetCode(IReadOnlyList<SupervisionCounters> allCounters) =>
        allCounters.All(counters => counters.Failures.Count == 0) ? ExitCode.Done : ExitCode.VerificationFailed;
}
