using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>The options of <c>supervise</c> for its consumers and their backlogs.</summary>
/// <param name="components">The available strategies and sinks.</param>
internal sealed class SupervisionArguments(AvailableComponents components)
{
    private static readonly TimeSpan SharedLeastExpiry = TimeSpan.FromSeconds(2);

    private readonly ProcessingArguments processing = new(components);
    private readonly FileArguments files = new();
    private readonly Option<int?> owners = Options.OptionalInteger(
        "--owners",
        "N consumers share the partitions. They join, leave and are killed concurrently",
        2,
        16
    );

    /// <summary>Adds the options and the checks between options.</summary>
    public void AddTo(Command command)
    {
        foreach (
            var option in (Option[])
                [
                    processing.Dispatch.Strategy,
                    processing.Dispatch.AllowUnsafe,
                    processing.Dispatch.Assembly,
                    processing.Clients,
                    .. processing.Dispatch.Sizes,
                    .. processing.Dispatch.Work,
                    .. processing.Ownership.Rules,
                    .. processing.Dispatch.Limits,
                    processing.RetryLimit,
                    .. files.Load.OfBacklogs,
                    owners,
                ]
        )
        {
            command.Options.Add(option);
        }

        processing.Dispatch.AddOwnOptionsTo(command, GetStrategies);
        command.CheckAll(result => GetStrategies(result).SelectMany(one => UnsafeProblems(result, one)));
        command.CheckAll(result => files.Problems(result));
        command.CheckAll(files.Missing);
        command.Check(processing.StoreProblem);
        command.Check(result =>
            GetStrategies(result).Select(one => processing.Dispatch.GetProblem(GetLimits(result, one))).FirstOrDefault(problem => problem is not null)
        );
        command.Check(result => GetTimes(result).Problem);
        command.Check(result =>
            GetOwners(result) is { } members && GetPartitions(result) <= members
                ? $"{owners.Name} {members}: must be less than the partitions ({GetPartitions(result)}), or a consumer that joins gets none"
                : null
        );
        command.Check(result =>
            IsShared(result) && GetTimes(result).Expiry < SharedLeastExpiry
                ? $"ownership expiry {DurationText.Format(GetTimes(result).Expiry)}: must be at least {DurationText.Format(SharedLeastExpiry)} with {owners.Name}, because the store keeps times in whole seconds"
                : null
        );
    }

    /// <summary>The number of consumers that share the partitions. Null if they run one after another.</summary>
    public int? GetOwners(CommandResult result) => result.GetValue(owners);

    /// <summary>Whether consumers share the partitions.</summary>
    public bool IsShared(CommandResult result) => GetOwners(result) is not null;

    /// <summary>The selected strategy, or every strategy that loses nothing.</summary>
    public IReadOnlyList<StrategyDescriptor> GetStrategies(CommandResult result) => processing.Dispatch.GetStrategies(result);

    /// <summary>The values of the options that a strategy declares.</summary>
    public IReadOnlyDictionary<string, int> GetStrategyOptions(CommandResult result, StrategyDescriptor strategy) =>
        processing.Dispatch.OwnOptions.ChosenFor(result, strategy);

    /// <summary>The options of the consumers and the load of a backlog. Run, strategy, owner and events change later.</summary>
    public RunOptions Read(CommandResult result)
    {
        var consumer = processing.Read(result, GetStrategies(result)[0], UsualTimes(result), load: null) with { RunIsNamed = true };
        var load = LoadArguments.Usual(consumer.Clients.Name, profile: "none", GetPartitions(result));
        return consumer with { Load = files.Load.Read(result, load) };
    }

    private IEnumerable<string> UnsafeProblems(CommandResult result, StrategyDescriptor strategy) =>
        processing.Dispatch.UnsafeProblems(GetLimits(result, strategy), result.IsGiven, processing.RetryLimit);

    private ProcessingOptions GetLimits(CommandResult result, StrategyDescriptor strategy) => processing.Dispatch.GetLimits(result, strategy);

    private OwnershipTimes UsualTimes(CommandResult result) => IsShared(result) ? OwnershipTimes.BesideEachOther : OwnershipTimes.OneAfterAnother;

    private OwnershipTimes GetTimes(CommandResult result) => processing.Ownership.GetTimes(result, UsualTimes(result));

    private int GetPartitions(CommandResult result) => result.GetValue(files.Load.Partitions) ?? 2 * (GetOwners(result) ?? 1);
}
