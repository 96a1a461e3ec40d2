using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Strategies;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>How events are processed: what a consumer is told by its user, and by a supervisor that starts many.</summary>
/// <param name="offer">What there is to choose from.</param>
/// <param name="degree">The degree unless one is given.</param>
internal sealed class ProcessingArguments(BuildOffer offer, int degree = DispatchArguments.UsualDegree)
{
    private const int UsualPrefetch = 300;

    public DispatchArguments Dispatch { get; } = new(offer, degree);

    public OwnershipArguments Ownership { get; } = new();

    public Option<string> Clients { get; } = BuildOffer.ClientsOption();

    public Option<int> RetryLimit { get; } = Options.Integer("--retry-limit", "Further attempts of a write whose failure may heal", 5, 0, 1000);

    /// <summary>What may be said of a strategy that is one of several, its own options aside.</summary>
    public IEnumerable<Option> OfEach => [Clients, .. Dispatch.Sizes, .. Dispatch.Work, .. Ownership.Rules, .. Dispatch.Limits, RetryLimit];

    /// <summary>Events requested ahead unless that is chosen: with the usual profile of embedded runs none, as in the article.</summary>
    /// <param name="profile">The profile, or null for services of somebody else.</param>
    public static int UsualPrefetchOn(string? profile) => profile == LoadArguments.DefaultProfile ? 0 : UsualPrefetch;

    /// <summary>The family of clients that was named.</summary>
    public ClientFamily FamilyOf(CommandResult result) => BuildOffer.FamilyOf(result.GetValue(Clients)!, result.GetValue(Ownership.Store)!);

    /// <summary>Why these clients cannot use the checkpoint store that was named, or null.</summary>
    public string? StoreProblem(CommandResult result) => Ownership.StoreProblem(result, result.GetValue(Clients)!);

    /// <summary>A name that says what runs and that no other run has.</summary>
    /// <param name="strategy">The strategy.</param>
    /// <param name="degree">The degree that was chosen.</param>
    /// <param name="batch">The largest batch.</param>
    internal static string NewRun(StrategyDescriptor strategy, int degree, int batch)
    {
        var unique = Guid.NewGuid().ToString("n")[..8];
        var name = $"{strategy.Name}-d{strategy.DegreeInForce(degree)}-b{batch}-{unique}";

        // A strategy of somebody's own may be called as no hub and no queue may.
        return RunName.ProblemOf(name) is null ? name : unique;
    }

    /// <summary>What was given, and the usual where nothing was.</summary>
    /// <param name="result">What was given.</param>
    /// <param name="strategy">The strategy.</param>
    /// <param name="usual">The times of ownership unless they were given.</param>
    /// <param name="load">The load of an embedded run, or null.</param>
    public ConsumerOptions Read(CommandResult result, StrategyDescriptor strategy, OwnershipTimes usual, EmbeddedOptions? load)
    {
        var times = Ownership.TimesOf(result, usual);
        return new ConsumerOptions
        {
            Run = NewRun(strategy, result.GetValue(Dispatch.Degree), result.GetValue(Dispatch.Batch)),
            Strategy = strategy,
            AllowUnsafe = result.GetValue(Dispatch.AllowUnsafe),
            StrategyOptions = Dispatch.OwnOptions.ChosenFor(result, strategy),
            StrategyAssembly = result.GetValue(Dispatch.Assembly) is { } file ? Path.GetFullPath(file) : null,
            Clients = FamilyOf(result),
            Degree = result.GetValue(Dispatch.Degree),
            Batch = result.GetValue(Dispatch.Batch),
            Work = Dispatch.WorkOf(result),
            Prefetch = result.GetValue(Dispatch.Prefetch) ?? UsualPrefetchOn(load?.Profile),
            Identifier = $"consumer-{Guid.NewGuid():n}",
            Balancing = result.GetValue(Ownership.Claiming),
            BalancingInterval = times.Interval,
            OwnershipExpiry = times.Expiry,
            Fencing = !result.GetValue(Ownership.NoFencing),
            DrainLimit = result.GetValue(Ownership.DrainLimit),
            Checkpoints = Dispatch.CheckpointsOf(result),
            Window = result.GetValue(Dispatch.Window),
            ReplayLimit = result.GetValue(Dispatch.ReplayLimit),
            RetryLimit = result.GetValue(RetryLimit),
            Follow = false,
            Embedded = load,
        };
    }
}
