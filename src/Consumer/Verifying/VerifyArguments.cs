using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.OfficialPackages;
using EventHubThroughput.Settings;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Consumer.Verifying;

/// <summary>The options of <c>verify</c> and the checks between them.</summary>
internal sealed class VerifyArguments
{
    private readonly Option<string?> ledger = Options.RequiredText("--ledger", "The sender's ledger", "FILE");
    private readonly Option<string?> journal = Options.Text(
        "--journal",
        "The emulator's journal. Without it the namespace of the settings is read back",
        "FILE"
    );

    private readonly Option<string?> run = Options.Text("--run", "The run, default the only one of the ledger", "ID");
    private readonly Option<string?> strategy = Options.OptionalChoice(
        "--strategy",
        "The strategy whose ordering guarantee is checked",
        [.. AvailableComponents.Current.Strategies.Select(known => known.Name)],
        OfficialComponents.Absent
    );

    private readonly Option<string?> assembly = Options.Text(StrategyAssembly.Option, "Assembly of a custom strategy", "FILE");

    private readonly Option<OrderPromise?> promise = Options.OptionalChoice(
        "--promise",
        "The ordering guarantee that is checked. none only counts",
        OrderPromises.All
    );
    private readonly Option<int?> replayLimit = Options.OptionalInteger(
        "--replay-limit",
        "The --replay-limit of the run, which bounds what a crash may repeat",
        1,
        100_000_000
    );

    private readonly Option<IReadOnlyList<string>> sinks = Options.List(
        SinkArguments.SinksName,
        "The sinks that the run wrote to. There is evidence of servicebus and blob only",
        JudgedSinks.Names
    );

    private readonly Option<string?> acknowledgements = Options.Text(
        "--acknowledgements",
        "The consumer's record of what its handlers acknowledged, for a run that wrote to no other sink",
        "FILE"
    );

    private readonly Option<bool> upToCheckpoint = Options.Flag(
        "--up-to-checkpoint",
        "The run was planned to end before its backlog (--measure): events beyond its checkpoints are not missing"
    );

    private readonly Option<string?> hub = Options.Text("--hub", "The event hub, default that of the settings, else the ledger's", "NAME");
    private readonly Option<string?> group = Options.Text("--group", "The consumer group, default that of the settings, else the journal's", "NAME");
    private readonly Option<string?> entity = Options.Text("--entity", "The queue or topic, default that of the settings, else the journal's", "NAME");
    private readonly Option<string?> subscription = Options.Text("--subscription", "Reading back: the subscription that received the topic's messages", "NAME");
    private readonly Option<string?> archive = Options.Text("--archive-container", "The archive, default that of the settings, else the journal's", "NAME");
    private readonly Option<string?> checkpoints = Options.Text("--checkpoint-container", "The checkpoints, with the same default", "NAME");
    private readonly Option<string?> deadLetters = Options.Text("--deadletter-container", "The dead letters, with the same default", "NAME");
    private readonly Option<string> clients = SharedOptions.Clients();
    private readonly Option<string?> output = Options.Text("--output", "Write the verdict to this file (JSON)", "FILE");
    private readonly Argument<string[]> words = new("FILE") { Arity = ArgumentArity.ZeroOrMore, Hidden = true };

    public void AddTo(Command command, SettingsResult settings)
    {
        command.Arguments.Add(words);
        foreach (
            var option in new Option[]
            {
                ledger,
                journal,
                run,
                strategy,
                assembly,
                promise,
                replayLimit,
                sinks,
                acknowledgements,
                upToCheckpoint,
                hub,
                group,
                entity,
                subscription,
                archive,
                checkpoints,
                deadLetters,
                clients,
                output,
            }
        )
        {
            command.Options.Add(option);
        }

        foreach (var problem in settings.Problems)
        {
            command.Check(_ => problem);
        }

        // A journal is verified without a service.
        if (settings.Settings is { } complete)
        {
            command.CheckAll(result => result.GetValue(journal) is not null ? [] : GetFamily(result.GetValue(clients)).ProblemsOf(complete));
        }

        command.Check(result =>
            result.GetValue(words) is [var word, ..]
                ? $"{SecretMask.Quote(word)}: a verdict is computed from --ledger and --journal, or from the namespace, never from a result file"
                : null
        );
        command.Check(result =>
            result.GetValue(journal) is null && settings.IsNone
                ? "--journal: not given, and no connection settings are set in the environment to read a namespace back"
                : null
        );
        command.Check(result =>
            result.GetValue(strategy) is not null && result.GetValue(promise) is not null
                ? "--promise: cannot be combined with --strategy, which has an ordering guarantee"
                : null
        );
        command.Check(result => SinkArguments.Problem(result.GetValue(sinks)!));
        command.Check(result =>
            result.GetValue(acknowledgements) is null ? null
            : result.IsGiven(sinks) ? $"{acknowledgements.Name}: judges handlers alone, so it cannot be combined with {sinks.Name}"
            : result.GetValue(journal) is null ? $"{acknowledgements.Name}: needs {journal.Name}, a namespace records no deliveries"
            : null
        );
        command.Check(result => SubscriptionProblem(result, settings.Settings));
        command.CheckAll(FileProblems);
    }

    public VerifyOptions Read(ParseResult result) =>
        new()
        {
            Ledger = result.GetValue(ledger)!,
            Journal = result.GetValue(journal),
            Run = result.GetValue(run),
            Hub = result.GetValue(hub),
            Group = result.GetValue(group),
            Entity = result.GetValue(entity),
            Subscription = result.GetValue(subscription),
            ArchiveContainer = result.GetValue(archive),
            CheckpointContainer = result.GetValue(checkpoints),
            DeadLetterContainer = result.GetValue(deadLetters),
            Clients = GetFamily(result.GetValue(clients)),
            Promise = GetPromise(result),
            ReplayLimit = result.GetValue(replayLimit),
            Sinks = result.GetValue(acknowledgements) is null ? JudgedSinks.Of(result.GetValue(sinks)!) : SinkSet.Handlers,
            Acknowledgements = result.GetValue(acknowledgements),
            UpToCheckpoint = result.GetValue(upToCheckpoint),
            Output = result.GetValue(output),
        };

    private static ClientFamily GetFamily(string? name) => AvailableComponents.GetFamily(name!);

    private OrderPromise? GetPromise(ParseResult result) =>
        (result.GetValue(promise), result.GetValue(strategy)) switch
        {
            ({ } named, _) => named,
            (_, { } name) => OrderPromises.GetPromise(AvailableComponents.Current.Strategies.Single(known => known.Name == name)),
            _ => null,
        };

    private string? SubscriptionProblem(CommandResult result, MessagingSettings? settings)
    {
        var given = result.GetValue(subscription) is not null;
        if (result.GetValue(journal) is not null)
        {
            return given ? "--subscription: only for reading a namespace back, not with --journal" : null;
        }

        return !given && settings?.Topic is { } topic && result.GetValue(entity) is null
            ? $"--subscription: not given, but '{topic}' is a topic, whose messages are in its subscriptions"
            : null;
    }

    // The verification must not overwrite its evidence.
    private IEnumerable<string> FileProblems(CommandResult result) =>
        new NamedFiles()
            .Reads(ledger.Name, result.GetValue(ledger))
            .Reads(journal.Name, result.GetValue(journal))
            .Reads(acknowledgements.Name, result.GetValue(acknowledgements))
            .Writes(output.Name, result.GetValue(output), OutputKind.Result)
            .Problems();
}
