using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The processing options that <c>run</c> shares with the commands that start several consumers.</summary>
/// <param name="components">The available strategies and sinks.</param>
/// <param name="degree">The default degree.</param>
internal sealed class ProcessingArguments(AvailableComponents components, int degree = DispatchArguments.UsualDegree)
{
    private const int UsualPrefetch = 300;

    public DispatchArguments Dispatch { get; } = new(components, degree);

    public OwnershipArguments Ownership { get; } = new();

    /// <summary>The sinks. This option applies to the whole command, not to one of several strategies.</summary>
    public SinkArguments Sinks { get; } = new(components);

    public Option<string> Clients { get; } =
        SharedOptions.Clients().Sets(static (run, name) => run with { Clients = AvailableComponents.GetFamily(name, run.Clients.CheckpointStore) });

    public Option<int> RetryLimit { get; } =
        Options
            .Integer("--retry-limit", "Retries of a write after a transient failure", 5, 0, 1000)
            .SetsProcessing(static (processing, tries) => processing with { Retries = tries });

    /// <summary>The options that one of several strategies may set, except those that the strategy declares.</summary>
    public IEnumerable<Option> OfEach => [Clients, .. Dispatch.Sizes, .. Dispatch.Work, .. Ownership.Rules, .. Dispatch.Limits, RetryLimit];

    /// <summary>The default prefetch. With the default profile of embedded runs it is 0, as in the article.</summary>
    /// <param name="profile">The profile, or null for services that are not emulated.</param>
    public static int UsualPrefetchOn(string? profile) => profile == LoadArguments.DefaultProfile ? 0 : UsualPrefetch;

    /// <summary>The selected family of clients.</summary>
    public ClientFamily GetFamily(CommandResult result) => AvailableComponents.GetFamily(result.GetValue(Clients)!, result.GetValue(Ownership.Store)!);

    /// <summary>The reason why these clients cannot use the selected checkpoint store, or null.</summary>
    public string? StoreProblem(CommandResult result) => StoreProblem(result, this, result);

    /// <summary>The reason why the clients cannot use the checkpoint store, or null.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="others">The same options of another command. They apply if an option was not given here.</param>
    /// <param name="elsewhere">The parsed options of that command.</param>
    public string? StoreProblem(CommandResult result, ProcessingArguments others, CommandResult elsewhere)
    {
        var problem = OwnershipArguments.StoreProblem(
            GetValue(Ownership.Store, others.Ownership.Store)!,
            fencing: !GetValue(Ownership.NoFencing, others.Ownership.NoFencing),
            GetValue(Clients, others.Clients)!
        );
        return problem is null ? null : $"{Ownership.Store.Name} {problem}";

        T? GetValue<T>(Option<T> option, Option<T> other) => result.IsGiven(option) ? result.GetValue(option) : elsewhere.GetValue(other);
    }

    /// <summary>A unique name that describes the run.</summary>
    /// <param name="strategy">The strategy.</param>
    /// <param name="degree">The selected degree.</param>
    /// <param name="batch">The largest batch.</param>
    internal static string NewRun(StrategyDescriptor strategy, int degree, int batch)
    {
        var unique = Guid.NewGuid().ToString("n")[..8];
        var name = $"{strategy.Name}-d{strategy.MaxConcurrencyInForce(degree)}-b{batch}-{unique}";

        // The name of a custom strategy may contain characters that names of hubs and queues must not have.
        return RunName.GetProblem(name) is null ? name : unique;
    }

    /// <summary>The options of the run, with defaults for those that were not given.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="strategy">The strategy.</param>
    /// <param name="usual">The default times of ownership.</param>
    /// <param name="load">The default load of an embedded run, or null.</param>
    public RunOptions Read(CommandResult result, StrategyDescriptor strategy, OwnershipTimes usual, LoadOptions? load)
    {
        // The default prefetch depends on the profile, the strategy options on the strategy, and the run's name on both.
        var asked = result.Read(Usual(usual, load));
        var prefetch = result.GetValue(Dispatch.Prefetch) ?? UsualPrefetchOn(asked.Load?.Profile);
        return asked with
        {
            Run = NewRun(strategy, asked.Processing.MaxConcurrency, asked.Processing.BatchSize),
            Processing = asked.Processing with { Strategy = strategy, StrategyOptions = Dispatch.OwnOptions.ChosenFor(result, strategy), Prefetch = prefetch },
        };
    }

    private static RunOptions Usual(OwnershipTimes times, LoadOptions? load) =>
        new()
        {
            Run = "",
            Processing = new ProcessingOptions
            {
                OnPoison = PoisonPolicy.Block,
                Identifier = $"consumer-{Guid.NewGuid():n}",
                BalancingInterval = times.Interval,
                OwnershipExpiry = times.Expiry,
            },
            Load = load,
        };
}
