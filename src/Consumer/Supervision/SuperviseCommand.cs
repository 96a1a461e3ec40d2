using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>The command <c>consumer supervise</c>: kills consumers and proves that nothing was lost.</summary>
internal sealed class SuperviseCommand
{
    private const string Everything = "all";

    private readonly Option<int> cycles = Options.Integer(
        "--cycles",
        "How often to end a consumer and start another, over all strategies together",
        56,
        1,
        100_000
    );
    private readonly Option<string> points = Options.TextOr("--kill-at", "Kill points between commas, or all that a run reaches", Everything, "K1,K3");
    private readonly Option<bool> drain = Options.Flag("--drain", "End every consumer by SIGTERM instead: it drains, and nothing may be repeated");
    private readonly Option<int> seed = Options.Integer("--seed", "Seed of how deep into its run each consumer dies", 1, 0, int.MaxValue - 100);
    private readonly RunOptions run = new(killAtVariable: null);

    /// <param name="console">Where to write, and the environment.</param>
    /// <param name="supervise">What a well-formed command line does; gives the exit code.</param>
    public static Command Create(CommandConsole console, Func<SupervisionPlan, Task<int>> supervise) => new SuperviseCommand().Build(console, supervise);

    private static List<(string Text, KillPoint Point)> PointsOf(string text) =>
        [.. text.Split(',').Select(one => (one, KillOrder.Points.FirstOrDefault(point => point.ToString() == one)))];

    private Command Build(CommandConsole console, Func<SupervisionPlan, Task<int>> supervise)
    {
        var command = new Command(
            "supervise",
            "Kills and restarts consumers of every strategy, or of the one named, on an emulator of its own; prints what came of it."
        );
        command.Options.Add(cycles);
        command.Options.Add(points);
        command.Options.Add(drain);
        command.Options.Add(seed);
        run.AddToSupervision(command);
        command.Check(_ =>
            MessagingSettings.FromEnvironment(console.Environment, SettingsScope.Consumer).IsNone
                ? null
                : "supervise: kills and restarts on an emulator of its own, but connection settings are set in the environment"
        );
        command.Check(result => result.GetValue(drain) && result.GetResult(points) is { Implicit: false } ? "--drain: not together with --kill-at" : null);
        command.Check(result => run.IsShared(result) && result.GetValue(drain) ? "--drain: not together with --owners, where some leave and some die" : null);
        command.Check(result =>
            run.IsShared(result) && result.GetResult(points) is { Implicit: false } ? "--kill-at: not together with --owners, which die at any point" : null
        );
        command.Check(result =>
            result.GetValue(points) is { } given && given != Everything && PointsOf(given).Find(one => one.Point == KillPoint.None) is { Text: { } wrong }
                ? $"--kill-at '{wrong}': unknown kill point, allowed {KillOrder.Points[0]} to {KillOrder.Points[^1]}, or {Everything}"
                : null
        );
        command.SetAction((result, _) => supervise(PlanOf(result)));
        return command;
    }

    private SupervisionPlan PlanOf(ParseResult result) =>
        new()
        {
            Cycles = result.GetValue(cycles),
            Owners = run.OwnersOf(result.CommandResult),
            Points =
                result.GetValue(drain) || run.IsShared(result.CommandResult) ? []
                : result.GetValue(points) is { } given && given != Everything ? [.. PointsOf(given).Select(one => one.Point)]
                : KillOrder.Points,
            Seed = result.GetValue(seed),
            Strategies = run.StrategiesOf(result),
            Arguments = run.PassedOn(result),
            Options = run.ReadSupervised(result),
        };
}
