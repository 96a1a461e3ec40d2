using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.OfficialPackages;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The options that select the strategy, its limits and the interval of checkpoints.</summary>
/// <param name="components">The available strategies and sinks.</param>
/// <param name="degree">The default degree.</param>
internal sealed class DispatchArguments(AvailableComponents components, int degree = DispatchArguments.UsualDegree)
{
    /// <summary>The default degree.</summary>
    public const int UsualDegree = 16;

    private const string DefaultStrategy = "baseline";
    private const string UnsafeName = "--unsafe";

    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    public Option<string> Strategy { get; } =
        Options
            .Choice(
                "--strategy",
                $"The rule of order and concurrency. Unsafe, and refused without {UnsafeName}: {string.Join(", ", components.Strategies.Where(known => known.IsUnsafe).Select(known => known.Name))}",
                DefaultStrategy,
                [.. components.Strategies.Select(known => known.Name)],
                OfficialComponents.Absent
            )
            .SetsProcessing((processing, name) => processing with { Strategy = components.Strategies.First(known => known.Name == name) });

    /// <summary>Permits a strategy that loses events.</summary>
    public Option<bool> AllowUnsafe { get; } =
        Options
            .Flag(UnsafeName, "Allow a strategy that loses events when a write fails")
            .SetsProcessing(static (processing, allowed) => processing with { AllowUnsafe = allowed });

    /// <summary>The assembly of custom strategies. It is loaded before the command line is parsed.</summary>
    public Option<string?> Assembly { get; } =
        Options
            .Text(StrategyAssembly.Option, "Adds the strategies of this assembly, which is built on EventHubThroughput.Strategies", "FILE")
            .Sets(static (run, file) => run with { StrategyAssembly = file is null ? null : Path.GetFullPath(file) });

    /// <summary>The options that strategies declare.</summary>
    public StrategyOptionSet OwnOptions { get; } = new(components.Strategies);

    public Option<int> Degree { get; } =
        Options
            .Integer(
                "--degree",
                "Maximum events in flight per partition (batched: operations at each sink). 1 for strategies that take events in turn",
                degree,
                1,
                ProcessingOptions.MaxConcurrencyLimit
            )
            .SetsProcessing(static (processing, most) => processing with { MaxConcurrency = most });

    public Option<int> Batch { get; } =
        Options
            .Integer("--batch", "Maximum events in a batch", 10, 1, ProcessingOptions.MostBatch)
            .SetsProcessing(static (processing, most) => processing with { BatchSize = most });

    public Option<int?> Prefetch { get; } =
        Options
            .OptionalInteger("--prefetch", "Events requested ahead, default 300, or 0 embedded with profile article", 0, ProcessingOptions.MostBatch)
            .SetsProcessing(static (processing, events) => processing with { Prefetch = events ?? processing.Prefetch });

    public Option<int?> CheckpointEvents { get; } =
        Options
            .OptionalInteger(
                "--checkpoint-events",
                "Checkpoint after this many events, default at each batch end, or 1000 for strategies that do not wait for it",
                1,
                ProcessingOptions.MostCheckpointEvents
            )
            .SetsProcessing(static (processing, events) => processing with { Checkpoints = CheckpointOptions.From(events, processing.Checkpoints.Interval) });

    public Option<TimeSpan?> CheckpointInterval { get; } =
        Options
            .OptionalDuration(
                "--checkpoint-interval",
                "Checkpoint after this time instead, default 5s with --checkpoint-events",
                TimeSpan.FromMilliseconds(10),
                Hour
            )
            .SetsProcessing(
                static (processing, time) =>
                    time is null ? processing : processing with { Checkpoints = CheckpointOptions.From(processing.Checkpoints.Events, time) }
            );

    public Option<int?> Window { get; } =
        Options
            .OptionalInteger(
                "--window",
                "Maximum events handed over above the low watermark. Default: a batch, for strategies across batches at least 8 times the degree",
                1,
                ProcessingOptions.MostWindow
            )
            .SetsProcessing(static (processing, events) => processing with { Window = events });

    public Option<int?> ReplayLimit { get; } =
        Options
            .OptionalInteger(
                "--replay-limit",
                "Maximum events handed over above the stored checkpoint, which a crash may repeat. Default: from window and checkpoint events",
                1,
                ProcessingOptions.MostReplay
            )
            .SetsProcessing(static (processing, events) => processing with { ReplayLimit = events });

    /// <summary>The work of the handler in addition to its writes.</summary>
    public Option<int> Cpu { get; } =
        Options
            .Integer("--cpu-us", "Computes for N microseconds for each event before its writes, as a handler may", 0, 0, 1_000_000)
            .Sets(static (run, time) => run with { Work = run.Work with { Cpu = TimeSpan.FromMicroseconds(time) } });

    public Option<int> Block { get; } =
        Options
            .Integer("--block-ms", "Holds a thread for N milliseconds for each event before its writes, as a call without await does", 0, 0, 60_000)
            .Sets(static (run, time) => run with { Work = run.Work with { Block = TimeSpan.FromMilliseconds(time) } });

    public Option[] Work => [Cpu, Block];

    /// <summary>The options that set how many events the strategy gets concurrently.</summary>
    public Option[] Sizes => [Degree, Batch, Prefetch];

    /// <summary>The limits on how far processing may run ahead of the checkpoint.</summary>
    public Option[] Limits => [CheckpointEvents, CheckpointInterval, Window, ReplayLimit];

    /// <summary>The selected strategy, or the default one. Null for a name that the option has refused.</summary>
    public StrategyDescriptor? GetStrategy(CommandResult result)
    {
        var name = result.GetValue(Strategy);
        return components.Strategies.SingleOrDefault(known => known.Name == name);
    }

    /// <summary>The selected strategy, or every strategy that loses nothing.</summary>
    public IReadOnlyList<StrategyDescriptor> GetStrategies(CommandResult result) =>
        result.IsGiven(Strategy) ? [.. new[] { GetStrategy(result) }.OfType<StrategyDescriptor>()] : [.. components.Strategies.Where(known => !known.IsUnsafe)];

    /// <summary>Adds the options that strategies declare, and their checks. The command must already have its other options.</summary>
    /// <param name="command">The command.</param>
    /// <param name="chosen">The strategies that were chosen.</param>
    public void AddOwnOptionsTo(Command command, Func<CommandResult, IReadOnlyList<StrategyDescriptor>> chosen)
    {
        OwnOptions.AddTo(command);
        command.CheckAll(result => OwnOptions.ProblemsOf(result, chosen(result)));
    }

    /// <summary>The reasons why an unsafe strategy cannot run: it was not permitted, or an option does not apply to it.</summary>
    /// <param name="processing">The requested processing.</param>
    /// <param name="given">The options that were given.</param>
    /// <param name="further">Options of the command that do not apply to it, in addition to those of checkpoints.</param>
    public IEnumerable<string> UnsafeProblems(ProcessingOptions processing, Func<Option, bool> given, params IEnumerable<Option> further)
    {
        if (processing.Strategy is not { Unsafe: { } practice } strategy)
        {
            return [];
        }

        var safe = string.Join(", ", components.Strategies.Where(known => !known.IsUnsafe).Select(known => known.Name));
        return
        [
            .. processing.AllowUnsafe
                ? []
                : new[] { $"{Strategy.Name} {strategy.Name}: unsafe, allowed only with {AllowUnsafe.Name}. Safe are: {safe}. {practice.Why}" },
            .. practice.LeastBatchOption is { } least && processing.StrategyOptions.TryGetValue(least, out var wanted) && wanted > processing.BatchSize
                ? new[] { $"--{least} {wanted}: larger than {Batch.Name} {processing.BatchSize}" }
                : [],
            .. new Option[] { CheckpointEvents, CheckpointInterval, ReplayLimit }
                .Concat(further)
                .Where(given)
                .Select(option =>
                    $"{option.Name}: cannot be combined with {Strategy.Name} {strategy.Name}, which is unsafe: its checkpoints pass failed events, and no write is tried again"
                ),
        ];
    }

    /// <summary>The limits that contradict each other, or null.</summary>
    public string? GetProblem(ProcessingOptions processing)
    {
        var (chosen, most) = (processing.Window, processing.MaxConcurrency);
        if (chosen < most)
        {
            return $"{Window.Name} {chosen}: smaller than {Degree.Name} {most}";
        }

        var least = DispatchLimits.LeastReplay(processing.Strategy.IsBarrier, processing.BatchSize, most, processing.Checkpoints, chosen);
        var replay = processing.ReplayLimit;
        return replay < least ? $"{ReplayLimit.Name} {replay}: smaller than window + checkpoint events ({least})" : null;
    }

    /// <summary>The processing to check, read from these options alone, so that a wrong value of another option hides no problem.</summary>
    public ProcessingOptions GetLimits(CommandResult result, StrategyDescriptor strategy) =>
        GetLimits(result, new ProcessingOptions { Strategy = strategy }, Checked);

    /// <summary>The processing to check, with the values of other options.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="beside">The processing that the other options set.</param>
    public ProcessingOptions GetLimits(CommandResult result, ProcessingOptions beside) => GetLimits(result, beside, Checked.Where(result.IsGiven));

    private Option[] Checked => [AllowUnsafe, Degree, Batch, .. Limits];

    private ProcessingOptions GetLimits(CommandResult result, ProcessingOptions usual, IEnumerable<Option> read) =>
        result.Read(new RunOptions { Run = "", Processing = usual }, read).Processing with
        {
            StrategyOptions = OwnOptions.ChosenFor(result, usual.Strategy, usual.StrategyOptions),
        };
}
