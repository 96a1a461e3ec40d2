using System.Collections.ObjectModel;
using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The options that strategies declare, on the command line. Strategies that declare the same name share one option.</summary>
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

    public IEnumerable<Option> All => shared.Select(one => one.Option);

    /// <summary>Adds the options to a command that already has its other options.</summary>
    /// <exception cref="UsageException">A strategy declares the name of another option of the command.</exception>
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

    /// <summary>The problems of the given options, for the selected strategy or for all strategies.</summary>
    public IEnumerable<string> ProblemsOf(CommandResult result, IReadOnlyList<StrategyDescriptor> chosen) =>
        shared.Where(one => result.GetResult(one.Option) is { Implicit: false }).SelectMany(one => one.ProblemsOf(result, chosen));

    /// <summary>The problems of options that were given for several strategies, as far as they concern one strategy.</summary>
    /// <param name="result">The options that were given for all strategies.</param>
    /// <param name="strategy">The strategy.</param>
    /// <param name="given">The names of the options that were given for this strategy alone.</param>
    public IEnumerable<string> ProblemsOfShared(CommandResult result, StrategyDescriptor strategy, IReadOnlyCollection<string> given) =>
        Of(strategy).Where(one => result.IsGiven(one.Option) && !given.Contains(one.Option.Name)).SelectMany(one => one.ProblemsOf(result, [strategy]));

    /// <summary>The values for a strategy, by the names that it declares.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="strategy">The strategy.</param>
    /// <param name="beside">Values from elsewhere, which the command line overrides.</param>
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

    // One option name, with the declaration of each strategy that has it.
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

        // Only checks an option that was given. Reading an invalid value throws, and that problem is listed already.
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
