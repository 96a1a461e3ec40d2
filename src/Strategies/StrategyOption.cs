namespace EventHubThroughput.Strategies;

/// <summary>An option of one strategy, a whole number.</summary>
/// <param name="Name">Its name on a command line without the dashes: lower-case words joined by a dash.</param>
/// <param name="Default">The value unless another one is chosen.</param>
/// <param name="Least">The lowest valid value.</param>
/// <param name="Most">The highest valid value.</param>
/// <param name="Summary">One sentence for help and documents, with the unit.</param>
public sealed record StrategyOption(string Name, int Default, int Least, int Most, string Summary);

/// <summary>The values of a strategy's options.</summary>
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

    /// <summary>Completes the chosen values with the defaults.</summary>
    /// <param name="declared">The options that the strategy declares.</param>
    /// <param name="chosen">The chosen values, by name.</param>
    /// <exception cref="ArgumentException">A value belongs to no option, or is outside its range. The message names the valid values.</exception>
    public static StrategyOptionValues Of(IReadOnlyList<StrategyOption> declared, IReadOnlyDictionary<string, int>? chosen = null)
    {
        var all = declared.ToDictionary(option => option.Name, option => option.Default, StringComparer.Ordinal);
        foreach (var (name, value) in chosen ?? new Dictionary<string, int>(StringComparer.Ordinal))
        {
            all[name] = GetProblem(declared, name, value) is { } problem ? throw new ArgumentException(problem, nameof(chosen)) : value;
        }

        return new StrategyOptionValues(all);
    }

    /// <summary>Why these values are invalid, one line each. None when they are valid.</summary>
    /// <param name="declared">The options that the strategy declares.</param>
    /// <param name="chosen">The chosen values, by name.</param>
    public static IEnumerable<string> ProblemsOf(IReadOnlyList<StrategyOption> declared, IReadOnlyDictionary<string, int> chosen) =>
        chosen.Select(one => GetProblem(declared, one.Key, one.Value)).OfType<string>();

    private static string? GetProblem(IReadOnlyList<StrategyOption> declared, string name, int value) =>
        declared.FirstOrDefault(option => option.Name == name) switch
        {
            null =>
                $"'{name}': not an option of the strategy{(declared.Count == 0 ? "" : $", it has {string.Join(", ", declared.Select(known => known.Name))}")}",
            { } option when value < option.Least || value > option.Most => $"'{name}' {value}: not allowed, {option.Least} to {option.Most}",
            _ => null,
        };
}
