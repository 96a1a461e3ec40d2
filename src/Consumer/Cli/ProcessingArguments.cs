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

/// <summary>How events are processed: what a consumer is told by its user, and by a supervisor that starts many.</summary>
/// <param name="components">What there is to choose from.</param>
/// <param name="degree">The degree unless one is given.</param>
internal sealed class ProcessingArguments(AvailableComponents components, int degree = DispatchArguments.UsualDegree)
{
    private const int UsualPrefetch = 300;

    public DispatchArguments Dispatch { get; } = new(components, degree);

    public OwnershipArguments Ownership { get; } = new();

    /// <summary>The sinks. An option of the whole command, not of one strategy among several.</summary>
    public SinkArguments Sinks { get; } = new(components);

    public Option<string> Clients { get; } =
        SharedOptions.Clients().Sets(static (run, name) => run with { Clients = AvailableComponents.FamilyOf(name, run.Clients.CheckpointStore) });

    public Option<int> RetryLimit { get; } =
        Options
            .Integer("--retry-limit", "Retries of a write after a transient failure", 5, 0, 1000)
            .SetsProcessing(static (processing, tries) => processing with { Retries = tries });

    /// <summary>What may be said of a strategy that is one of several, its own options aside.</summary>
    public IEnumerable<Option> OfEach => [Clients, .. Dispatch.Sizes, .. Dispatch.Work, .. Ownership.Rules, .. Dispatch.Limits, RetryLimit];

    /// <summary>Events requested ahead unless that is chosen: with the usual profile of embedded runs none, as in the article.</summary>
    /// <param name="profile">The profile, or null for services of somebody else.</param>
    public static int UsualPrefetchOn(string? profile) => profile == LoadArguments.DefaultProfile ? 0 : UsualPrefetch;

    /// <summary>The family of clients that was named.</summary>
    public ClientFamily FamilyOf(CommandResult result) => AvailableComponents.FamilyOf(result.GetValue(Clients)!, result.GetValue(Ownership.Store)!);

    /// <summary>Why these clients cannot use the checkpoint store that was named, or null.</summary>
    public string? StoreProblem(CommandResult result) => StoreProblem(result, this, result);

    /// <summary>Why the clients cannot use the checkpoint store, or null.</summary>
    /// <param name="result">What was given.</param>
    /// <param name="others">The same options of another command, which hold where nothing was given.</param>
    /// <param name="elsewhere">What was given there.</param>
    public string? StoreProblem(CommandResult result, ProcessingArguments others, CommandResult elsewhere)
    {
        var problem = OwnershipArguments.StoreProblem(
            ValueOf(Ownership.Store, others.Ownership.Store)!,
            fencing: !ValueOf(Ownership.NoFencing, others.Ownership.NoFencing),
            ValueOf(Clients, others.Clients)!
        );
        return problem is null ? null : $"{Ownership.Store.Name} {problem}";

        T? ValueOf<T>(Option<T> option, Option<T> other) => result.IsGiven(option) ? result.GetValue(option) : elsewhere.GetValue(other);
    }

    /// <summary>A name that says what runs and that no other run has.</summary>
    /// <param name="strategy">The strategy.</param>
    /// <param name="degree">The degree that was chosen.</param>
    /// <param name="batch">The largest batch.</param>
    internal static string NewRun(StrategyDescriptor strategy, int degree, int batch)
    {
        var unique = Guid.NewGuid().ToString("n")[..8];
        var name = $"{strategy.Name}-d{strategy.MaxConcurrencyInForce(degree)}-b{batch}-{unique}";

        // A strategy of somebody's own may be called as no hub and no queue may.
        return RunName.ProblemOf(name) is null ? name : unique;
    }

    /// <summary>What was given, and the usual where nothing was.</summary>
    /// <param name="result">What was given.</param>
    /// <param name="strategy">The strategy.</param>
    /// <param name="usual">The times of ownership unless they were given.</param>
    /// <param name="load">The load of an embedded run unless it was given, or null.</param>
    public RunOptions Read(CommandResult result, StrategyDescriptor strategy, OwnershipTimes usual, LoadOptions? load)
    {
        // The usual prefetch depends on the profile, the options of the strategy on the strategy, and the name of the run on both.
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
