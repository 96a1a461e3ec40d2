using System.Collections.ObjectModel;
using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>
/// The options that strategies have of their own, on the command line: one for each name, whichever strategies declare it.
/// </summary>
internal sealed class StrategyOptionSet
{
    private readonly List<SharedOption> shared;

    /// <param name="strategies">The strategies of the build.</param>
    public StrategyOptionSet(IEnumerable<StrategyDescriptor> strategies) =>
        shared = [
            .. strategies
                .SelectMany(strategy => strategy.Options.Select(option => (Strategy: strategy.Name, Option: option)))
                .GroupBy(declared => declared.Option.Name, StringComparer.Ordinal)
                .Select(named => new SharedOption(named.Key, [.. named])),
        ];

    /// <summary>All of them.</summary>
    public IEnumerable<Option> All => shared.Select(one => one.Option);

    /// <summary>Adds the options to a command that has its other options already.</summary>
    /// <exception cref="UsageException">A strategy's option is named like another option of the command.</exception>
    public void AddTo(Command command)
    {
        foreach (var one in shared)
        {
            if (command.Options.Any(option => option.Name == one.Option.Name))
            {
                throw new UsageException($"{one.Option.Name} of strategy {one.Owners}: '{command.Name}' has an option of this name");
            }

            command.Options.Add(one.Option);
        }
    }

    /// <summary>What is wrong with the options that were given, for a strategy that was named, or for all of them.</summary>
    public IEnumerable<string> ProblemsOf(CommandResult result, IReadOnlyList<StrategyDescriptor> chosen) =>
        shared.Where(one => result.GetResult(one.Option) is { Implicit: false }).SelectMany(one => one.ProblemsOf(result, chosen));

    /// <summary>What is wrong with the options that were given for several strategies, as far as they concern one of them.</summary>
    /// <param name="result">What was given for all of them.</param>
    /// <param name="strategy">The strategy.</param>
    /// <param name="given">The names of the options that were given for it alone.</param>
    public IEnumerable<string> ProblemsOfShared(CommandResult result, StrategyDescriptor strategy, IReadOnlyCollection<string> given) =>
        Of(strategy).Where(one => result.IsGiven(one.Option) && !given.Contains(one.Option.Name)).SelectMany(one => one.ProblemsOf(result, [strategy]));

    /// <summary>What was given for a strategy, by the names that it declares.</summary>
    /// <param name="result">What was given.</param>
    /// <param name="strategy">The strategy.</param>
    /// <param name="beside">What was chosen elsewhere. The same is overridden.</param>
    public IReadOnlyDictionary<string, int> ChosenFor(CommandResult result, StrategyDescriptor strategy, IReadOnlyDictionary<string, int>? beside = null)
    {
        var chosen = new Dictionary<string, int>(beside ?? ReadOnlyDictionary<string, int>.Empty, StringComparer.Ordinal);
        foreach (var one in Of(strategy))
        {
            if (result.GetValue(one.Option) is { } value)
            {
                chosen[one.Name] = value;
            }
        }

        return chosen;
    }

    private IEnumerable<SharedOption> Of(StrategyDescriptor strategy) => shared.Where(one => strategy.Options.Any(option => option.Name == one.Name));

    private static string NameOnCommandLine(string name) => $"--{name}";

    // One name, with what each strategy that declares it says of it.
    private sealed class SharedOption
    {
        private readonly IReadOnlyList<(string Strategy, StrategyOption Option)> declared;

        public SharedOption(string name, IReadOnlyList<(string Strategy, StrategyOption Option)> declared)
        {
            (Name, this.declared) = (name, declared);
            var (least, most) = (declared.Min(one => one.Option.Least), declared.Max(one => one.Option.Most));
            Option = Options.OptionalInteger(NameOnCommandLine(name), "", least, most);
            Option.Description = string.Join("; ", declared.Select(Describe));
        }

        public string Name { get; }

        public Option<int?> Option { get; }

        public string Owners => string.Join(", ", declared.Select(one => one.Strategy));

        // Asked for a given option only. Reading a value that is wrong by itself throws, and that problem is listed already.
        public IEnumerable<string> ProblemsOf(CommandResult result, IReadOnlyList<StrategyDescriptor> chosen)
        {
            var concerned = declared.Where(one => chosen.Any(strategy => strategy.Name == one.Strategy)).ToList();
            if (concerned.Count == 0)
            {
                var strategies = chosen.Count == 1 ? $"strategy {chosen[0].Name} has" : "these strategies have";
                yield return $"{Option.Name}: {strategies} no such option, only {Owners}";
                yield break;
            }

            var value = result.GetValue(Option);
            foreach (var (strategy, option) in concerned.Where(one => value < one.Option.Least || value > one.Option.Most))
            {
                yield return $"{Option.Name} {value}: out of range for strategy {strategy}, allowed {option.Least} to {option.Most}";
            }
        }

        private static string Describe((string Strategy, StrategyOption Option) one) =>
            $"Strategy {one.Strategy}: {one.Option.Summary.TrimEnd('.')} ({one.Option.Least} to {one.Option.Most}) [{one.Option.Default}]";
    }
}
