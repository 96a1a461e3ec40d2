using EventHubThroughput.Settings;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>Custom strategies, from an assembly that is built on the package EventHubThroughput.Strategies.</summary>
internal static class StrategyAssembly
{
    /// <summary>The option that names the file.</summary>
    public const string Option = "--strategy-assembly";

    private static readonly CustomAssembly Reader = new(Option, "strategies");

    /// <summary>The file that a command line names, before it is parsed: what can be chosen depends on it. Null when it names none.</summary>
    public static string? NamedIn(IReadOnlyList<string> arguments) => Reader.NamedIn(arguments);

    /// <summary>The strategies of an assembly, in the order of their names. At least one.</summary>
    /// <exception cref="UsageException">It cannot be loaded, or holds no strategy that can be used. The message contains the reason.</exception>
    public static IReadOnlyList<StrategyDescriptor> Load(string file) =>
        [.. Reader.Load<StrategyDescriptor>(file, GetProblem).OrderBy(static one => one.Name, StringComparer.Ordinal)];

    private static string? GetProblem(StrategyDescriptor strategy) =>
        !CustomAssembly.IsName(strategy.Name) ? $"strategy '{strategy.Name}': {CustomAssembly.NameRule}"
        : string.IsNullOrWhiteSpace(strategy.Summary) ? $"strategy '{strategy.Name}': has no summary"
        : strategy is { IsUnsafe: true, IsBarrier: false } ? $"strategy '{strategy.Name}': an unsafe strategy must have a barrier"
        : strategy.Unsafe is { } practice && practice.OptionNames.Except(strategy.Options.Select(static option => option.Name)).FirstOrDefault() is { } absent
            ? $"strategy '{strategy.Name}': its rule names option '{absent}', which it does not have"
        : null;
}
