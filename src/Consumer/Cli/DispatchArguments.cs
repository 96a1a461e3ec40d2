using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.OfficialPackages;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The strategy with its own options, how much it is given at once, and when a checkpoint follows.</summary>
/// <param name="offer">What there is to choose from.</param>
/// <param name="degree">The degree unless one is given.</param>
internal sealed class DispatchArguments(BuildOffer offer, int degree = DispatchArguments.UsualDegree)
{
    /// <summary>The degree of a run that was told none.</summary>
    public const int UsualDegree = 16;

    private const string DefaultStrategy = "baseline";
    private const string UnsafeName = "--unsafe";

    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    public Option<string> Strategy { get; } =
        Options.Choice(
            "--strategy",
            $"The rule of order and concurrency; unsafe, and refused without {UnsafeName}: {string.Join(", ", offer.Strategies.Where(known => known.IsUnsafe).Select(known => known.Name))}",
            DefaultStrategy,
            [.. offer.Strategies.Select(known => known.Name)],
            PackageOffer.Absent
        );

    /// <summary>Lets a strategy be chosen that loses events.</summary>
    public Option<bool> AllowUnsafe { get; } = Options.Flag(UnsafeName, "Allow a strategy that loses events when a write fails");

    /// <summary>Where strategies of somebody's own are; read before the command line is parsed.</summary>
    public Option<string?> Assembly { get; } =
        Options.Text(StrategyAssembly.Option, "Offers the strategies of this assembly as well: one that is built on EventHubThroughput.Strategies", "FILE");

    /// <summary>The options that strategies have of their own.</summary>
    public StrategyOptionSet OwnOptions { get; } = new(offer.Strategies);

    public Option<int> Degree { get; } =
        Options.Integer(
            "--degree",
            "Most events in flight per partition (batched: operations at each sink); 1 for strategies that take events in turn",
            degree,
            1,
            4096
        );

    public Option<int> Batch { get; } = Options.Integer("--batch", "Most events in a batch", 10, 1, 10_000);

    public Option<int?> Prefetch { get; } = Options.OptionalInteger("--prefetch", "Events requested ahead; 300, or 0 embedded with profile article", 0, 10_000);

    public Option<int?> CheckpointEvents { get; } =
        Options.OptionalInteger(
            "--checkpoint-events",
            "Checkpoint after so many events; at each batch end unless given, or 1000 for strategies that go on before it",
            1,
            10_000_000
        );

    public Option<TimeSpan?> CheckpointInterval { get; } =
        Options.OptionalDuration(
            "--checkpoint-interval",
            "Checkpoint after so much time instead; 5s beside --checkpoint-events",
            TimeSpan.FromMilliseconds(10),
            Hour
        );

    public Option<int?> Window { get; } =
        Options.OptionalInteger(
            "--window",
            "Most events handed over above the low watermark; a batch, and at least 8 times the degree for strategies that go on before its end",
            1,
            10_000_000
        );

    public Option<int?> ReplayLimit { get; } =
        Options.OptionalInteger(
            "--replay-limit",
            "Most events handed over above the stored checkpoint, which a crash may repeat; follows from window and checkpoint events",
            1,
            100_000_000
        );

    /// <summary>What the handler does beside its writes.</summary>
    public Option<int> Cpu { get; } =
        Options.Integer("--cpu-us", "Computes so many microseconds for each event before its writes, as a handler may", 0, 0, 1_000_000);

    public Option<int> Block { get; } =
        Options.Integer("--block-ms", "Holds a thread for so many milliseconds for each event before its writes, as a call without await does", 0, 0, 60_000);

    public Option[] Work => [Cpu, Block];

    /// <summary>What is handed to the strategy at once.</summary>
    public Option[] Sizes => [Degree, Batch, Prefetch];

    /// <summary>How far processing may run ahead.</summary>
    public Option[] Limits => [CheckpointEvents, CheckpointInterval, Window, ReplayLimit];

    /// <summary>The strategy that was named, or that of the default; null for a name that the option itself has refused.</summary>
    public StrategyDescriptor? StrategyOf(CommandResult result)
    {
        var name = result.GetValue(Strategy);
        return offer.Strategies.SingleOrDefault(known => known.Name == name);
    }

    /// <summary>The strategy that was named, or every one that loses nothing.</summary>
    public IReadOnlyList<StrategyDescriptor> StrategiesOf(CommandResult result) =>
        result.IsGiven(Strategy) ? [.. new[] { StrategyOf(result) }.OfType<StrategyDescriptor>()] : [.. offer.Strategies.Where(known => !known.IsUnsafe)];

    public HandlerWork WorkOf(CommandResult result) => new(TimeSpan.FromMicroseconds(result.GetValue(Cpu)), TimeSpan.FromMilliseconds(result.GetValue(Block)));

    public CheckpointOptions CheckpointsOf(CommandResult result) =>
        CheckpointOptions.From(result.GetValue(CheckpointEvents), result.GetValue(CheckpointInterval));

    /// <summary>Adds the strategies' own options to a command that has its other options already, and their checks.</summary>
    /// <param name="command">The command.</param>
    /// <param name="chosen">The strategies that were chosen.</param>
    public void AddOwnOptionsTo(Command command, Func<CommandResult, IReadOnlyList<StrategyDescriptor>> chosen)
    {
        OwnOptions.AddTo(command);
        command.CheckAll(result => OwnOptions.ProblemsOf(result, chosen(result)));
    }

    /// <summary>Why an unsafe strategy cannot be run so: it was not allowed, or is told what it has rules of its own for.</summary>
    /// <param name="result">What was given.</param>
    /// <param name="further">Options of the command that it has no use for, beside those of checkpoints.</param>
    public IEnumerable<string> UnsafeProblems(CommandResult result, params IEnumerable<Option> further)
    {
        if (!result.IsGiven(Strategy) || StrategyOf(result) is not { Unsafe: { } practice } strategy)
        {
            return [];
        }

        var safe = string.Join(", ", offer.Strategies.Where(known => !known.IsUnsafe).Select(known => known.Name));
        return
        [
            .. result.GetValue(AllowUnsafe)
                ? []
                : new[] { $"{Strategy.Name} {strategy.Name}: unsafe, allowed only with {AllowUnsafe.Name}; without it: {safe}. {practice.Why}" },
            .. practice.LeastBatchOption is { } least
            && OwnOptions.ChosenFor(result, strategy).TryGetValue(least, out var wanted)
            && wanted > result.GetValue(Batch)
                ? new[] { $"--{least} {wanted}: larger than {Batch.Name} {result.GetValue(Batch)}" }
                : [],
            .. new Option[] { CheckpointEvents, CheckpointInterval, ReplayLimit }
                .Concat(further)
                .Where(result.IsGiven)
                .Select(option =>
                    $"{option.Name}: not together with {Strategy.Name} {strategy.Name}, which is unsafe: its checkpoints pass whatever happened, and no write is tried again"
                ),
        ];
    }

    /// <summary>Which limits contradict each other with this strategy, or null.</summary>
    public string? ProblemOf(CommandResult result, StrategyDescriptor? strategy)
    {
        if (strategy is null)
        {
            return null;
        }

        var (chosen, most) = (result.GetValue(Window), result.GetValue(Degree));
        if (chosen < most)
        {
            return $"{Window.Name} {chosen}: smaller than {Degree.Name} {most}";
        }

        var least = DispatchLimits.LeastReplay(strategy.IsBarrier, result.GetValue(Batch), most, CheckpointsOf(result), chosen);
        var replay = result.GetValue(ReplayLimit);
        return replay < least ? $"{ReplayLimit.Name} {replay}: smaller than window + checkpoint events ({least})" : null;
    }
}
