using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>
/// A command line with what it takes from a scenario, as far as it has to be known before it is parsed: assemblies, on which depends what strategies and sinks there
/// are. A scenario is configuration. A result is data, and no assembly is taken from it. What is wrong with a scenario is told when it is read for good.
/// </summary>
internal static class ForeseenArguments
{
    private static readonly string[] Commands = [ComparisonForm.Compare.Name, ComparisonForm.Sweep.Name];
    private static readonly string[] Assemblies = [StrategyAssembly.Option, SinkAssembly.Option];

    /// <param name="arguments">The command line, whose own options come first.</param>
    public static IReadOnlyList<string> Of(IReadOnlyList<string> arguments)
    {
        if (arguments.Count == 0 || !Commands.Contains(arguments[0]))
        {
            return arguments;
        }

        try
        {
            return ScenarioIn(arguments) is { } scenario ? [.. arguments, .. AssembliesOf(SettingsDocument.ReadFile(scenario))] : arguments;
        }
        catch (UsageException)
        {
            return arguments;
        }
    }

    /// <summary>The code that a scenario names and that will run, for the first line that the program prints; null where it names none.</summary>
    /// <param name="arguments">The command line.</param>
    public static string? NoticeOf(IReadOnlyList<string> arguments)
    {
        if (arguments.Count == 0 || !Commands.Contains(arguments[0]) || ScenarioIn(arguments) is not { } scenario)
        {
            return null;
        }

        try
        {
            var document = SettingsDocument.ReadFile(scenario);
            string[] code =
            [
                .. AssembliesOf(document).Chunk(2).Where(pair => EarlyOption.ValueOf(pair[0], arguments) is null).Select(Written),
                .. BuildsOf(document, arguments),
            ];
            return code.Length > 0 ? $"{arguments[0]}: {scenario} names code that is run: {string.Join(", ", code)}" : null;
        }
        catch (UsageException)
        {
            return null;
        }

        static string Written(string[] pair) => $"{pair[0]} {pair[1]}";
    }

    private static string? ScenarioIn(IReadOnlyList<string> arguments) =>
        EarlyOption.ValueOf(NamedComparison.ResumeName, arguments) is null
        && EarlyOption.ValueOf(NamedComparison.ScenarioName, arguments) is { } scenario
        && File.Exists(scenario)
            ? scenario
            : null;

    private static IEnumerable<string> BuildsOf(SettingsDocument scenario, IReadOnlyList<string> arguments)
    {
        var strategies = EarlyOption.ValueOf(StoredArguments.Strategies, arguments) is null ? scenario.Root.Find(StoredArguments.Strategies[2..]) : null;
        var texts = strategies is { Kind: SettingKind.List }
            ? (strategies.List() ?? []).Select(static one => one.Text()).OfType<string>()
            : strategies?.Text()?.Split(',') ?? [];
        return texts.Select(ContenderReader.BuildOf).OfType<string>().Distinct(StringComparer.Ordinal).Select(static folder => $"build={folder}");
    }

    private static IEnumerable<string> AssembliesOf(SettingsDocument scenario) =>
        Assemblies.SelectMany(option => scenario.Root.Find(option[2..])?.Text() is { } file ? new[] { option, file } : []);
}
