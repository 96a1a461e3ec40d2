using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The load that an embedded run sends to its emulator, and the faults of that emulator.</summary>
internal sealed class LoadArguments
{
    /// <summary>The default profile.</summary>
    public const string DefaultProfile = "article";

    private const string Embedded = "Embedded: ";

    public Option<int?> Partitions { get; } =
        Options
            .OptionalInteger("--partitions", "Embedded: partitions of the hub, default 1", 1, 1024)
            .SetsLoad(static (load, count) => load with { Partitions = count ?? load.Partitions });

    public Option<int?> Events { get; } =
        Options
            .OptionalInteger("--events", "Embedded: events to send and process, default 600", 1, 10_000_000)
            .SetsLoad(static (load, count) => load with { Events = count ?? load.Events });

    public Option<string?> Profile { get; } =
        Options
            .Text("--profile", "Embedded: latency profile (docs/laboratory.md), default article", "NAME|FILE.json")
            .SetsLoad(static (load, profile) => load with { Profile = profile ?? load.Profile });

    public Option<IReadOnlyList<(int Size, int Weight)>?> Size { get; } =
        Options
            .OptionalSizes("--size", "Embedded: bytes of an event's body, default 1024. Several sizes with weights as in 64:90,4096:10", 0, 1_000_000)
            .SetsLoad(static (load, sizes) => load with { Size = sizes is null ? load.Size : BodySizes.Of(sizes) });

    public Option<int?> Keys { get; } =
        Options
            .OptionalInteger("--keys", "Embedded: number of partition keys, default 0: without keys", 0, 1_000_000)
            .SetsLoad(static (load, count) => load with { Keys = count ?? 0 });

    public Option<double?> Skew { get; } =
        Options
            .OptionalNumber("--skew", "Embedded: Zipf exponent of the keys, default 0: all equally frequent", 0, 10)
            .SetsLoad(static (load, exponent) => load with { KeySkew = exponent ?? 0 });

    public Option<IReadOnlyList<(double PerSecond, TimeSpan From)>?> Rate { get; } =
        Options
            .OptionalRates(
                "--rate",
                "Embedded: events are sent during the run at this rate, which may change as in 100/s,500/s@30s. Default: the hub is filled before the run",
                0.001,
                1_000_000
            )
            .SetsLoad(static (load, rates) => load with { Rate = rates is null ? null : LoadText.OfRates(rates) });

    public Option<string?> Input { get; } =
        Options
            .Text("--input", "Embedded: file of events to replay: JSON Lines (.jsonl, .ndjson), a JSON array (.json) or CSV (.csv), each also with .gz", "FILE")
            .SetsLoad(static (load, file) => load with { Input = file });

    public Option<string?> KeyField { get; } =
        Options
            .Text("--key-field", "Embedded: field of the input that is the partition key", "NAME")
            .SetsLoad(static (load, field) => load with { KeyField = field });

    public Option<int?> Partition { get; } =
        Options
            .OptionalInteger("--partition", "Embedded: send all events to this partition", 0, 1023)
            .SetsLoad(static (load, partition) => load with { Partition = partition });

    public Option<string?> Keep { get; } =
        Options.Text("--keep", "Embedded: folder in which ledger and journal are kept", "DIR").SetsLoad(static (load, folder) => load with { Keep = folder });

    public Option<string?> Faults { get; } =
        Options
            .Text("--faults", "Embedded: faults of the emulator, armed when the hub is filled (docs/laboratory.md)", "NAME,...|FILE.json")
            .SetsLoad(static (load, faults) => load with { Faults = faults });

    public Option<bool> Topic { get; } =
        Options
            .Flag("--topic", "Embedded: send messages to a topic instead of a queue. Its one subscription is read back and gets a separate verdict")
            .SetsLoad(static (load, topic) => load with { Topic = topic });

    public Option<int?> EmulatorCeiling { get; } =
        Options
            .OptionalInteger(
                "--emulator-ceiling",
                "Embedded: events/s that the emulator reaches on this machine (benchmarks/ceiling). A rate above a third of it is not ranked",
                1,
                100_000_000
            )
            .SetsLoad(static (load, ceiling) => load with { EmulatorCeiling = ceiling });

    public Option<TimeSpan> StartLimit { get; } = SharedOptions.StartLimit("Embedded: ").SetsLoad(static (load, limit) => load with { StartLimit = limit });

    public Option[] All => [Partitions, Events, Profile, Size, Keys, Skew, Rate, Input, KeyField, Partition, Topic, Keep, Faults, EmulatorCeiling, StartLimit];

    /// <summary>The options that apply to a backlog on which consumers are killed.</summary>
    public Option[] OfBacklogs => [Partitions, Profile, Size, Keys, Skew, Keep, StartLimit];

    /// <summary>The options that apply to a hub that several consumers read one after another.</summary>
    public Option[] OfComparisons => [Partitions, Events, Rate, Profile, Size, Keys, Skew, Input, KeyField, Topic, Keep, Faults, EmulatorCeiling, StartLimit];

    /// <summary>The help of an option in a command whose load is always embedded.</summary>
    public static string WithoutEmbedded(string help) =>
        help.StartsWith(Embedded, StringComparison.Ordinal) ? char.ToUpperInvariant(help[Embedded.Length]) + help[(Embedded.Length + 1)..] : help;

    /// <summary>The default load.</summary>
    /// <param name="clients">The clients that the sender uses.</param>
    /// <param name="profile">The profile.</param>
    /// <param name="partitions">The number of partitions.</param>
    public static LoadOptions Usual(string clients, string profile, int partitions) =>
        new(Events: 600, partitions, profile, BodySizes.Usual, Keys: 0, Keep: null, Clients: clients);

    /// <summary>The requested load.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="usual">The values of options that were not given.</param>
    public LoadOptions Read(CommandResult result, LoadOptions usual) =>
        result
            .Read(
                new RunOptions
                {
                    Run = "",
                    Processing = new ProcessingOptions(),
                    Load = usual,
                },
                All
            )
            .Load!;

    /// <summary>The problems of options for generated events in combination with an input file.</summary>
    public IEnumerable<string> InputProblems(CommandResult result) =>
        result.GetValue(Input) is null
            ? result.IsGiven(KeyField)
                ? [$"{KeyField.Name}: only with {Input.Name}"]
                : []
            : ((Option[])[Events, Size, Keys, Skew]).Where(result.IsGiven).Select(option => $"{option.Name}: for generated events only, not with {Input.Name}");

    /// <summary>The reason why not all events can go to the named partition, or null.</summary>
    public string? PartitionProblem(CommandResult result) =>
        result.GetValue(Partition) switch
        {
            { } partition when partition >= (result.GetValue(Partitions) ?? 1) =>
                $"{Partition.Name} {partition}: the hub has {Partitions.Name} {result.GetValue(Partitions) ?? 1}, they count from 0",
            not null when result.GetValue(KeyField) is not null =>
                $"{Partition.Name}: cannot be combined with {KeyField.Name}, because a key decides the partition",
            not null when result.GetValue(Keys) > 0 => $"{Partition.Name}: cannot be combined with {Keys.Name}, because a key decides the partition",
            _ => null,
        };
}
