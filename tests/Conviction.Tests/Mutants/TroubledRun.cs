using EventHubThroughput.Conviction.Tests.Recording;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Processing.Tests.Redriving;
using EventHubThroughput.Pump.Writing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using EventHubThroughput.Verification.Tests;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.Mutants;

/// <summary>How an owner's time on the partition ends.</summary>
internal enum OwnerEnd
{
    /// <summary>It is stopped, finishes what it has begun and gives the partition up.</summary>
    Stopped,

    /// <summary>It is killed.</summary>
    Killed,

    /// <summary>The next one takes the partition, and it learns of that later.</summary>
    Robbed,

    /// <summary>The emulator starts again during the run, and the run continues.</summary>
    Restarted,
}

/// <summary>What happens in a run beside the plain work.</summary>
internal sealed record Trouble
{
    public int Events { get; init; } = 10;

    /// <summary>The number of partition keys, or 0.</summary>
    public int Keys { get; init; }

    public int Degree { get; init; } = 4;

    public int Batch { get; init; } = 4;

    /// <summary>The number of events between checkpoints, or null for the rule of the strategy.</summary>
    public int? CheckpointEvery { get; init; }

    /// <summary>How the owners before the last one end.</summary>
    public IReadOnlyList<OwnerEnd> Ends { get; init; } = [];

    /// <summary>Events that the queue refuses until a redrive begins.</summary>
    public IReadOnlySet<long> RefusedByQueue { get; init; } = new HashSet<long>();

    /// <summary>Events that the archive refuses until a redrive begins.</summary>
    public IReadOnlySet<long> RefusedByArchive { get; init; } = new HashSet<long>();

    /// <summary>One write in this number meets a fault. 0 for none.</summary>
    public int FaultEvery { get; init; }

    /// <summary>How often a redrive is killed before one ends, or null for no redrive.</summary>
    public int? RedriveKills { get; init; }

    /// <summary>Whether the first redrive begins while the partition is still read.</summary>
    public bool RedrivesMeanwhile { get; init; }

    public bool NamesReaders { get; init; }
}

/// <summary>A strategy under the consumer's own pump over recorded services that inject trouble. Its journal must be good.</summary>
internal sealed class TroubledRun
{
    private const int MostOwners = 12;

    private readonly StrategyDescriptor strategy;
    private readonly Schedule schedule;
    private readonly Trouble trouble;
    private readonly RecordedServices services;
    private readonly List<Task> running = [];
    private readonly List<RealPump> owners = [];
    private bool isRedriving;

    private TroubledRun(StrategyDescriptor strategy, Schedule schedule, Trouble trouble)
    {
        (this.strategy, this.schedule, this.trouble) = (strategy, schedule, trouble);
        services = new RecordedServices(schedule, trouble.Events, trouble.Keys)
        {
            Effects = GetEffect,
            NamesReaders = trouble.NamesReaders,
            ClaimsForOwners = true,
        };
    }

    /// <summary>Plays a run in virtual time.</summary>
    /// <param name="strategy">The strategy of every owner.</param>
    /// <param name="seed">Decides about every order and every delay.</param>
    /// <param name="trouble">What happens.</param>
    public static GoodRun Play(StrategyDescriptor strategy, int seed, Trouble trouble)
    {
        GoodRun? played = null;
        VirtualTimeRunner.Run(
            async clock =>
            {
                var run = new TroubledRun(strategy, new Schedule(seed, clock, new Random(seed)), trouble);
                await run.PlayAsync();
                run.owners.ForEach(static owner => owner.Dispose());
                played = new GoodRun([.. run.services.Ledger], [.. run.services.Journal], RecordedServices.GetScope(GetPromise(strategy)));
            },
            seed
        );
        return played!;
    }

    private static OrderPromise GetPromise(StrategyDescriptor strategy) =>
        strategy.Ordering switch
        {
            OrderingGuarantee.Partition => OrderPromise.Partition,
            OrderingGuarantee.Key => OrderPromise.Key,
            _ => OrderPromise.None,
        };

    private async Task PlayAsync()
    {
        foreach (var end in trouble.Ends)
        {
            await OwnAsync(end);
        }

        var redriving = trouble is { RedriveKills: not null, RedrivesMeanwhile: true } ? RedriveAsync() : Task.CompletedTask;
        await FinishAsync();
        await Task.WhenAll([.. running, redriving]);
        await FinishAsync();
        if (trouble.RedriveKills is not null)
        {
            // What was given up after the redrive that ran beside the consumer.
            await RedriveAsync();
        }
    }

    private async Task OwnAsync(OwnerEnd end)
    {
        var process = services.Start();
        var owner = Open(process);
        var work = RunAsync(owner);
        await schedule.PauseAsync(60, CancellationToken.None);
        switch (end)
        {
            case OwnerEnd.Stopped:
                await owner.Stop.RequestAsync();
                await work;
                break;
            case OwnerEnd.Killed:
                process.Kill();
                break;
            case OwnerEnd.Robbed:
                running.Add(Task.WhenAll(work, LearnAsync(owner)));
                break;
            default:
                services.Restart();
                await work;
                break;
        }
    }

    private async Task LearnAsync(RealPump owner)
    {
        await schedule.PauseAsync(30, CancellationToken.None);
        await owner.Ownership.LoseAsync();
    }

    private async Task RunAsync(RealPump owner)
    {
        await owner.RunAsync(trouble.Batch);
        owner.Ownership.GiveUp();
    }

    // An owner may be stopped by the fence, when a checkpoint of the one before lands after it began: then another takes its place.
    private async Task FinishAsync()
    {
        for (var turn = 0; turn < MostOwners; turn++)
        {
            if (services.Stored?.Position.SequenceNumber == services.Events[^1].SequenceNumber)
            {
                return;
            }

            var owner = Open(services.Start());
            await RunAsync(owner);
            Assert.Empty(owner.Errors);
        }

        Assert.Fail("nobody could finish");
    }

    private RealPump Open(RecordedProcess process)
    {
        var owner = new RealPump(
            process,
            strategy.Create,
            trouble.Degree,
            CheckpointOptions.From(trouble.CheckpointEvery, null),
            new PoisonRule
            {
                Policy = PoisonPolicy.DeadLetter,
                Store = new DeadLetterWriter(process.DeadLetters, RecordedServices.Hub).StoreAsync,
                Blocked = new BlockedEvents(_ => { }, schedule.Clock),
            },
            declared: strategy
        );
        owners.Add(owner);
        return owner;
    }

    private async Task RedriveAsync()
    {
        isRedriving = true;
        for (var kills = trouble.RedriveKills; kills > 0; kills--)
        {
            var process = services.Start();
            _ = RedriveAsync(process);
            await schedule.PauseAsync(60, CancellationToken.None);
            process.Kill();
        }

        var result = await RedriveAsync(services.Start());
        Assert.Empty(result.Faults);
    }

    private async Task<RedriveResult> RedriveAsync(RecordedProcess process)
    {
        SinkDescriptor[] sinks = [.. NaivePump.GetSinks(process).Select(sink => new SinkDescriptor(sink.Name, "Recorded.", _ => sink))];
        var options = new RedriveOptions { TimeProvider = schedule.Clock, Jitter = schedule.Random.NextDouble };
        await using var redrive = new DeadLetterRedrive(new ContainerClients(process.DeadLetters), RedriveBench.Settings, options, sinks);
        return await redrive.RunAsync(CancellationToken.None);
    }

    private Effect GetEffect(Attempt attempt) =>
        attempt.Place == Place.Checkpoints ? Effect.None
        : !isRedriving && RefusedAt(attempt.Place).Contains(attempt.Sequence) ? Effect.TooLarge
        : trouble.FaultEvery == 0 || attempt.Number > 2 || schedule.Random.Next(trouble.FaultEvery) > 0 ? Effect.None
        : schedule.Random.Next(4) switch
        {
            0 => Effect.Refused,
            1 => Effect.AnswerLost,
            2 when attempt.Place == Place.Queue => Effect.AnswerCutOff,
            _ => Effect.Slow,
        };

    private IReadOnlySet<long> RefusedAt(Place place) =>
        place switch
        {
            Place.Queue => trouble.RefusedByQueue,
            Place.Archive => trouble.RefusedByArchive,
            _ => new HashSet<long>(),
        };
}
