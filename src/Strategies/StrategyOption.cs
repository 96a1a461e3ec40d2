namespace EventHubThroughput.Strategies;

/// <summary>An option that one strategy alone has, a whole number.</summary>
/// <param name="Name">Its name on a command line without the dashes: lower-case words joined by a dash.</param>
/// <param name="Default">Its value unless chosen.</param>
/// <param name="Least">The least value that is allowed.</param>
/// <param name="Most">The largest value that is allowed.</param>
/// <param name="Summary">One sentence for help and documents, with the unit.</param>
public sealed record StrategyOption(string Name, int Default, int Least, int Most, string Summary);

/// <summary>What the options of a strategy are set to.</summary>
public sealed class StrategyOptionValues
{
    private readonly Dictionary<string, int> values;

    private StrategyOptionValues(Dictionary<string, int> values) => this.values = values;

    /// <summary>The values of a strategy without options.</summary>
    public static StrategyOptionValues None { get; } = new([]);

    /// <summary>The names with their values, those at their defaults included.</summary>
    public IReadOnlyDictionary<string, int> All => values;

    /// <summary>The value of an option that the strategy declares.</summary>
    /// <exception cref="KeyNotFoundException">The strategy declares no such option.</exception>
    public int this[string name] => values[name];

    /// <summary>Fills in the defaults of what was not chosen.</summary>
    /// <param name="declared">The options that the strategy declares.</param>
    /// <param name="chosen">What was chosen, by name.</param>
    /// <exception cref="ArgumentException">A value was chosen for something else, or lies outside its range; the message says what is allowed.</exception>
    public static StrategyOptionValues Of(IReadOnlyList<StrategyOption> declared, IReadOnlyDictionary<string, int>? chosen = null)
    {
        var all = declared.ToDictionary(option => option.Name, option => option.Default, StringComparer.Ordinal);
        foreach (var (name, value) in chosen ?? new Dictionary<string, int>(StringComparer.Ordinal))
        {
            all[name] = ProblemOf(declared, name, value) is { } problem ? throw new ArgumentException(problem, nameof(chosen)) : value;
        }

        return new StrategyOptionValues(all);
    }

    /// <summary>Why these values cannot be chosen, one line each; none when they can.</summary>
    /// <param name="declared">The options that the strategy declares.</param>
    /// <param name="chosen">What was chosen, by name.</param>
    public static IEnumerable<string> ProblemsOf(IReadOnlyList<StrategyOption> declared, IReadOnlyDictionary<string, int> chosen) =>
        chosen.Select(one => ProblemOf(declared, one.Key, one.Value)).OfType<string>();

    private static string? ProblemOf(IReadOnlyList<StrategyOption> declared, string name, int value) =>
        declared.FirstOrDefault(option => option.Name == name) switch
        {
            null =>
                $"'{name}': not an option of the strategy{(declared.Count == 0 ? "" : $", it has {string.Join(", ", declared.Select(known => known.Name))}")}",
            { } option when value < option.Least || value > option.Most => $"'{name}' {value}: not allowed, {option.Least} to {option.Most}",
            _ => null,
        };
}
