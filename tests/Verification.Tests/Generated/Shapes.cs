namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>The good runs that mutants are made of, by name.</summary>
internal static class Shapes
{
    private const int SampleOfEach = 4;

    private static readonly Tenure[] HandedOver = [new("owner-0", 40, Ending.Drained), new("owner-1", 100, Ending.Drained)];
    private static readonly Tenure[] Crashed = [new("owner-0", 40, Ending.Killed), new("owner-1", 100, Ending.Drained)];

    public static IReadOnlyList<(string Name, PlayedOptions Options)> All { get; } =
    [
        ("one partition, one owner", new PlayedOptions { Seed = 1 }),
        (
            "three partitions",
            new PlayedOptions
            {
                Seed = 2,
                Events = 30,
                Partitions = 3,
                CheckpointEvery = 3,
            }
        ),
        (
            "order of the partition",
            new PlayedOptions
            {
                Seed = 3,
                Partitions = 2,
                Promise = OrderPromise.Partition,
                CheckpointEvery = 3,
            }
        ),
        (
            "order of keys",
            new PlayedOptions
            {
                Seed = 4,
                Events = 30,
                Partitions = 2,
                Keys = 5,
                Promise = OrderPromise.Key,
            }
        ),
        ("a hand-over", new PlayedOptions { Seed = 5, Tenures = HandedOver }),
        (
            "a backlog below the prefetch, handed over",
            new PlayedOptions
            {
                Seed = 6,
                Events = 20,
                Prefetch = 1_000,
                Tenures = HandedOver,
            }
        ),
        (
            "pushed one by one, handed over",
            new PlayedOptions
            {
                Seed = 7,
                Events = 20,
                Prefetch = 1,
                Tenures = HandedOver,
            }
        ),
        (
            "a crash with replays",
            new PlayedOptions
            {
                Seed = 8,
                Tenures = Crashed,
                ReplayLimit = 20,
            }
        ),
        (
            "three owners, one robbed",
            new PlayedOptions
            {
                Seed = 9,
                Events = 36,
                Partitions = 2,
                Tenures = [new("owner-0", 30, Ending.Robbed), new("owner-1", 60, Ending.Killed), new("owner-0", 100, Ending.Drained)],
            }
        ),
        (
            "a restart of the emulator",
            new PlayedOptions
            {
                Seed = 10,
                Partitions = 2,
                Tenures = [new("owner-0", 40, Ending.Restarted), new("owner-0", 100, Ending.Drained)],
            }
        ),
        ("faults of the laboratory", new PlayedOptions { Seed = 11, FaultEvery = 3 }),
        (
            "faults and a crash",
            new PlayedOptions
            {
                Seed = 12,
                FaultEvery = 3,
                Tenures = Crashed,
            }
        ),
        (
            "dead letters",
            new PlayedOptions
            {
                Seed = 13,
                PoisonEvery = 5,
                Tenures = Crashed,
            }
        ),
        (
            "expired events",
            new PlayedOptions
            {
                Seed = 14,
                Partitions = 2,
                Expired = 4,
            }
        ),
        (
            "a second run in the hub",
            new PlayedOptions
            {
                Seed = 15,
                Events = 16,
                EarlierRun = 12,
                Tenures = HandedOver,
            }
        ),
        (
            "neighbours in the hub and the queue",
            new PlayedOptions
            {
                Seed = 16,
                Partitions = 2,
                HasNeighbours = true,
                Tenures = Crashed,
            }
        ),
        (
            "attaches that are not told, and a crash",
            new PlayedOptions
            {
                Seed = 18,
                RecordsAttaches = false,
                Tenures = Crashed,
            }
        ),
        ("doubtful sends", new PlayedOptions { Seed = 17, HasDoubtfulSends = true }),
    ];

    /// <summary>Every mutant of every shape.</summary>
    public static IEnumerable<(string Base, GeneratedMutant Mutant)> Mutants() =>
        All.SelectMany(shape => new MutantMaker(PlayedRun.Of(shape.Options)).All().Select(mutant => (shape.Name, mutant)));

    /// <summary>Those that are judged for each commit.</summary>
    public static IEnumerable<(string Base, GeneratedMutant Mutant)> Sample() => Survey.Sample(Mutants(), SampleOfEach);
}
