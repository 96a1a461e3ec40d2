using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Profiles;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The help of the consumer's commands: the group of each option, and the available strategies and profiles.</summary>
internal static class HelpGroups
{
    private const string Strategy = "Strategy";

    private static readonly (string Title, string[] Options)[] Groups =
    [
        (
            Strategy,
            [
                "strategy",
                "strategies",
                "unsafe",
                "strategy-assembly",
                "sinks",
                "sink-assembly",
                "handler",
                "degree",
                "degrees",
                "batch",
                "batches",
                "concurrency",
                "threads",
                "prefetch",
                "window",
                "cpu-us",
                "block-ms",
            ]
        ),
        (
            "Load",
            [
                "profile",
                "write",
                "order",
                "need",
                "events",
                "partitions",
                "partition",
                "size",
                "keys",
                "skew",
                "rate",
                "sustainable",
                "input",
                "key-field",
                "topic",
                "processors",
                "promise",
            ]
        ),
        (
            "Measuring",
            [
                "warm-up",
                "measure",
                "repeats",
                "seed",
                "cores",
                "memory",
                "emulator-ceiling",
                "start-limit",
                "follow",
                "cycles",
                "drain",
                "owners",
                "fail-if",
                "fail-if-slower",
                "fail-if-undecided",
                "against",
            ]
        ),
        (
            "Services",
            [
                "clients",
                "entities",
                "yes",
                "timeout",
                "retry-limit",
                "operation-limit",
                "identifier",
                "balancing",
                "balancing-interval",
                "ownership-expiry",
                "drain-limit",
                "delivery-limit",
                "hub",
                "group",
                "entity",
                "subscription",
                "archive-container",
                "checkpoint-container",
                "deadletter-container",
            ]
        ),
        (
            "Checkpoints",
            [
                "checkpoint-events",
                "checkpoint-interval",
                "price-per-10000-operations",
                "replay-limit",
                "checkpoint-store",
                "no-fencing",
                "accept-gap",
                "up-to-checkpoint",
            ]
        ),
        ("Faults", ["faults", "on-poison", "kill-at", "dry-run"]),
        (
            "Output",
            [
                "output",
                "report",
                "junit",
                "resume",
                "clean-up",
                "scenario",
                "from",
                "probes",
                "name",
                "run",
                "keep",
                "ledger",
                "journal",
                "acknowledgements",
                "metrics-port",
                "metrics-host",
                "metrics-targets",
                "print-config",
                "no-metrics",
                "linger",
                "otlp",
                "otlp-signals",
                "log-level",
                "log-format",
                "trace-frames",
            ]
        ),
    ];

    private static readonly Dictionary<string, string> TitleByOption = Groups
        .SelectMany(static group => group.Options.Select(option => (Option: $"--{option}", group.Title)))
        .ToDictionary(static entry => entry.Option, static entry => entry.Title, StringComparer.Ordinal);

    /// <summary>Groups the options of the program, and of every command that it has or is given.</summary>
    /// <param name="root">The program.</param>
    /// <param name="components">The strategies, whose declared options are listed with the strategy options.</param>
    public static void AddTo(RootCommand root, AvailableComponents components)
    {
        var own = components.Strategies.SelectMany(static strategy => strategy.Options).Select(static option => $"--{option.Name}").ToHashSet();
        root.GroupOptions(
            [.. Groups.Select(static group => group.Title)],
            option => own.Contains(option.Name) ? Strategy : TitleByOption.GetValueOrDefault(option.Name) ?? RunSetting.GetTitle(option)
        );
        root.ShowExamples(
            ("consumer compare", "Which strategy is fastest, by how much, and at what cost. Takes a minute"),
            ("consumer --strategy=outloop", "One run on its own emulator, with its verdict")
        );
        Explain(root, components);
    }

    /// <summary>Describes what each strategy does, which order it keeps, and the latencies of each profile.</summary>
    public static void Explain(Command command, AvailableComponents components)
    {
        command.Explain("Strategies", components.Strategies.Select(static strategy => (strategy.Name, $"{strategy.Summary} {Promise(strategy)}")));
        command.Explain("Profiles", LatencyProfiles.All.Select(static profile => (profile.Name, ProfileSentence.Of(profile))));
    }

    private static string Promise(StrategyDescriptor strategy) =>
        (strategy.IsUnsafe ? "Unsafe. " : "")
        + strategy.Ordering switch
        {
            OrderingGuarantee.Partition => "Order: of the partition.",
            OrderingGuarantee.Key => "Order: of each key.",
            _ => "Order: none.",
        };
}
