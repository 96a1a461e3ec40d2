using EventHubThroughput.Strategies;
using EventHubThroughput.Verification.Tests;
using EventHubThroughput.Verification.Tests.Generated;

namespace EventHubThroughput.Conviction.Tests.Mutants;

/// <summary>The good runs that mutants are made of: of every safe strategy some, each with another trouble.</summary>
internal static class StrategyBases
{
    private const int SampleOfEach = 8;

    // Data that the system stores and acts on later. The places of records, and copies, are tried on the played shapes.
    private static readonly MutantKind[] Kinds = [MutantKind.DeletedBlob, MutantKind.WrongMetadata];

    private static readonly Trouble[] Troubles =
    [
        // Killed, dead letters at each sink, redriven.
        new()
        {
            Keys = 2,
            CheckpointEvery = 3,
            Ends = [OwnerEnd.Killed],
            RefusedByQueue = new HashSet<long> { 2 },
            RefusedByArchive = new HashSet<long> { 5 },
            RedriveKills = 0,
            NamesReaders = true,
        },
        // Two concurrent owners, then a restart of the emulator.
        new()
        {
            Keys = 2,
            CheckpointEvery = 2,
            Ends = [OwnerEnd.Robbed, OwnerEnd.Restarted],
        },
        // Answers that are lost or cut off, a stop, and dead letters that stay.
        new()
        {
            Keys = 2,
            CheckpointEvery = 4,
            Ends = [OwnerEnd.Stopped],
            RefusedByQueue = new HashSet<long> { 7 },
            FaultEvery = 4,
            NamesReaders = true,
        },
    ];

    /// <summary>Each strategy's runs.</summary>
    public static IReadOnlyList<(string Strategy, GoodRun Run)> All { get; } =
    [.. StrategyCatalog.Safe.SelectMany(strategy => Troubles.Select((trouble, number) => (strategy.Name, TroubledRun.Play(strategy, number + 1, trouble))))];

    /// <summary>Every mutant of these kinds of every run.</summary>
    public static IEnumerable<(string Base, GeneratedMutant Mutant)> Mutants() =>
        All.SelectMany(one => new MutantMaker(one.Run).All().Where(mutant => Kinds.Contains(mutant.Kind)).Select(mutant => (one.Strategy, mutant)));

    /// <summary>Those that are judged for each commit.</summary>
    public static IEnumerable<(string Base, GeneratedMutant Mutant)> Sample() => Survey.Sample(Mutants(), SampleOfEach);
}
