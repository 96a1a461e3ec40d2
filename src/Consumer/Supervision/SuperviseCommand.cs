using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Telemetry.Logs;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>The command <c>consumer supervise</c>: kills consumers and checks that no event was lost.</summary>
/// <param name="components">The available strategies and sinks.</param>
internal sealed class SuperviseCommand(AvailableComponents components)
{
    private const string Everything = "all";

    private readonly Option<int> cycles = Options.Integer(
        "--cycles",
        "Number of times to end a consumer and start another, spread over all kill points and strategies",
        56,
        1,
        100_000
    );
    private readonly Option<string> points = Options.TextOr("--kill-at", "Kill points, separated by commas, or all that a run reaches", Everything, "K1,K3");
    private readonly Option<bool> drain = Options.Flag("--drain", "End every consumer by SIGTERM instead. It drains, and no event may be repeated");
    private readonly Option<int> seed = Options.Integer("--seed", "Seed of the time at which each consumer is killed", 1, 0, int.MaxValue - 100);
    private readonly SupervisionArguments run = new(components);

    /// <param name="console">Where to write, and the environment.</param>
    /// <param name="supervise">The action for a valid command line. Returns the exit code.</param>
    /// <param name="hasSignals">Whether the operating system can end a program by a signal.</param>
    /// <param name="components">The available strategies and sinks. Null for those of the build.</param>
    public static Command Create(CommandConsole console, Func<SupervisionPlan, Task<int>> supervise, bool hasSignals, AvailableComponents? components = null) =>
        new SuperviseCommand(components ?? AvailableComponents.Current).Build(console, supervise, hasSignals);

    private static List<(string Text, KillPoint Point)> GetPoints(string text) =>
        [.. text.Split(',').Distinct(StringComparer.Ordinal).Select(one => (one, KillPoints.Parse(one)))];

    private Command Build(CommandConsole console, Func<SupervisionPlan, Task<int>> supervise, bool hasSignals)
    {
        var command = new Command("supervise", "Kills and restarts consumers of every strategy, or of one, on its own emulator, and prints the outcome.");
        command.Options.Add(cycles);
        command.Options.Add(points);
        command.Options.Add(drain);
        command.Options.Add(seed);
        run.AddTo(command);
        var log = new LogOptions(console.Environment);
        log.AddTo(command);
        command.Explain("Kill points", KillPoints.All.Select(point => (point.Code(), point.Words())));
        command.Check(_ => hasSignals ? null : "supervise: ends consumers by SIGKILL and SIGTERM, which Windows does not have");
        command.Check(_ =>
            MessagingSettings.FromEnvironment(console.Environment, SettingsScope.Consumer).IsNone
                ? null
                : "supervise: runs on its own emulator, but connection settings are set in the environment"
        );
        command.Check(result =>
            result.GetValue(drain) && result.GetResult(points) is { Implicit: false } ? "--drain: cannot be combined with --kill-at" : null
        );
        command.Check(result =>
            run.IsShared(result) && result.GetValue(drain) ? "--drain: cannot be combined with --owners, which drains some consumers and kills others" : null
        );
        command.Check(result =>
            run.IsShared(result) && result.GetResult(points) is { Implicit: false }
                ? "--kill-at: cannot be combined with --owners, which kills at any point"
                : null
        );
        command.Check(result =>
            result.GetValue(points) is { } given && given != Everything && GetPoints(given).Find(one => one.Point == KillPoint.None) is { Text: { } wrong }
                ? $"--kill-at '{wrong}': unknown kill point, allowed {KillPoints.All[0].Code()} to {KillPoints.All[^1].Code()}, or {Everything}"
                : null
        );
        command.SetAction((result, _) => supervise(GetPlan(result, log.Read(result))));
        return command;
    }

    private static RunOptions WithLog(RunOptions options, LogChoice log) =>
        options with
        {
            Outputs = options.Outputs with { Log = log },
            Load = options.Load! with { Log = log },
        };

    private SupervisionPlan GetPlan(ParseResult result, LogChoice log)
    {
        var strategies = run.GetStrategies(result.CommandResult);
        return new()
        {
            Cycles = result.GetValue(cycles),
            Owners = run.GetOwners(result.CommandResult),
            Points =
                result.GetValue(drain) || run.IsShared(result.CommandResult) ? []
                : result.GetValue(points) is { } given && given != Everything ? [.. GetPoints(given).Select(one => one.Point)]
                : KillPoints.All,
            Seed = result.GetValue(seed),
            Strategies = strategies,
            StrategyOptions = strategies.ToDictionary(
                strategy => strategy.Name,
                strategy => run.GetStrategyOptions(result.CommandResult, strategy),
                StringComparer.Ordinal
            ),
            Options = WithLog(run.Read(result.CommandResult), log),
        };
    }
}
