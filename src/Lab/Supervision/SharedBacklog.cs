using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>
/// One hub to which events keep coming, followed by consumers that share its partitions while some of them leave, some die and new
/// ones join. A last one completes what is left, and the verdict covers them all.
/// </summary>
internal sealed class SharedBacklog(SupervisionPlan plan, int owners, StrategyDescriptor strategy, SupervisionCounters counters, TimeProvider clock)
{
    // Slow enough for every strategy on a busy machine, quick enough that the first event shows when a new owner has begun.
    private const int EventsPerSecondAndPartition = 50;
    private const int MostEvents = 10_000_000;

    // Far beyond every bound. A change that takes longer is regarded as missing.
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan LookInterval = TimeSpan.FromMilliseconds(10);

    private readonly OwnershipWatch watch = new();

    private int Partitions => plan.Options.Load!.Partitions;

    /// <summary>Changes the consumer group according to the script, then lets one consumer finish and judges.</summary>
    public async Task RunAsync(IReadOnlyCollection<MembershipChange> changes, CancellationToken cancellationToken)
    {
        var run = $"group-{Guid.NewGuid().ToString("n")[..8]}";
        var embedded = plan.Options.Load!;
        var load = embedded with
        {
            Events = MostEvents,
            Rate = LoadText.OfRates([(EventsPerSecondAndPartition * Partitions, TimeSpan.Zero)]),
            Keep = embedded.Keep is null ? null : Path.Combine(embedded.Keep, run),
        };
        await using var services = await EmbeddedServices.StartAsync(run, load, clock, cancellationToken);
        services.StartSending();
        using (var watching = new RestartWatch(JournalTail.Open(services.Journal)))
        using (var tail = JournalTail.Open(services.Journal))
        {
            var options = plan.GetStart(strategy, run);
            await using (var group = new ConsumerGroupProcesses(options with { Follow = true }, services.Variables, clock))
            {
                for (var member = 0; member < owners; member++)
                {
                    group.Join();
                }

                foreach (var change in changes)
                {
                    await ChangeAsync(group, change, tail, cancellationToken);
                }

                await UntilAsync(() => IsShared(group), "shared again", group, tail, cancellationToken);

                // From here on, a partition that changes hands may find no consumer left to claim it.
                counters.Handovers.AddRange(watch.Handovers);
                await services.StopSendingAsync(cancellationToken);
                while (group.Members is [var member, ..])
                {
                    Expect(await EndAsync(group, member, dies: false, cancellationToken), ExitCode.Done, $"{member.Owner}, at the end,");
                }
            }

            Look(tail);
            await FinishAsync(options, services, watching, cancellationToken);
        }

        await services.EndAsync();
        var repeating = watch.Handovers.Count(one => one.Departure != Departure.Left);
        counters.Judge(plan, strategy, run, services, repeating * plan.ReplayOfOnePartition(strategy));
    }

    private async Task ChangeAsync(ConsumerGroupProcesses group, MembershipChange change, JournalTail tail, CancellationToken cancellationToken)
    {
        if (change.JoinFirst)
        {
            group.Join();
        }

        await UntilAsync(() => IsShared(group), "shared", group, tail, cancellationToken);
        var from = watch.Checkpoints;

        // On a busy machine an owner may lose a partition meanwhile. A leaving member must have its share when it leaves.
        await UntilAsync(() => watch.Checkpoints >= from + change.After && IsShared(group), "checkpointed and shared", group, tail, cancellationToken);

        var member = group.Members[change.Member];
        var end = await EndAsync(group, member, change.Dies, cancellationToken);
        counters.Count(end.Code, change.Dies);
        Expect(end, change.Dies ? ConsumerEnd.Killed : ExitCode.Done, $"{member.Owner}, cycle {counters.Cycles},");
        await UntilAsync(() => IsShared(group), "handed over", group, tail, cancellationToken);
        if (!change.JoinFirst)
        {
            group.Join();
        }
    }

    private async Task<ConsumerEnd> EndAsync(ConsumerGroupProcesses group, ConsumerGroupMember member, bool dies, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(Limit, clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        if (dies)
        {
            watch.Died(member.Owner);
        }

        try
        {
            return await group.EndAsync(member, dies, either.Token);
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            throw new FailureException(FailureCause.Verification, $"{strategy.Name}: {member.Owner} did not end within {Limit.TotalSeconds:0} s");
        }
    }

    private async Task FinishAsync(RunOptions options, EmbeddedServices services, RestartWatch watching, CancellationToken cancellationToken)
    {
        var end = await SupervisedConsumer.RunAsync(
            options.With(static processing => processing with { Identifier = "consumer-last" }),
            null,
            services.Variables,
            watching,
            SupervisedConsumer.LimitFor(0),
            clock,
            cancellationToken
        );
        Expect(end, ExitCode.Done, "the last run");
    }

    private void Expect(ConsumerEnd end, int code, string who)
    {
        if (end.Code != code)
        {
            counters.Failures.Add($"{strategy.Name}: {who} ended with code {end.Code}, not {code}: {end.LastErrors}");
        }
    }

    // Whether the running consumers own every partition, and each of them its share.
    private bool IsShared(ConsumerGroupProcesses group)
    {
        var shares = group.Members.Select(member => watch.OwnedBy(member.Owner)).ToList();
        return shares.Sum() == Partitions && shares.TrueForAll(share => share >= Partitions / shares.Count);
    }

    private async Task UntilAsync(Func<bool> reached, string what, ConsumerGroupProcesses group, JournalTail tail, CancellationToken cancellationToken)
    {
        var began = clock.GetTimestamp();
        using var timer = new PeriodicTimer(LookInterval, clock);
        while (true)
        {
            Look(tail);
            await group.ThrowIfAnyHasEndedAsync();
            if (reached())
            {
                return;
            }

            if (clock.GetElapsedTime(began) > Limit)
            {
                var shares = string.Join(", ", group.Members.Select(member => $"{member.Owner} has {watch.OwnedBy(member.Owner)}"));
                throw new FailureException(
                    FailureCause.Verification,
                    $"{strategy.Name}: {Partitions} partitions not {what} within {Limit.TotalSeconds:0} s: {shares}"
                );
            }

            await timer.WaitForNextTickAsync(cancellationToken);
        }
    }

    private void Look(JournalTail tail)
    {
        foreach (var record in tail.Look())
        {
            watch.Note(record);
        }
    }
}
