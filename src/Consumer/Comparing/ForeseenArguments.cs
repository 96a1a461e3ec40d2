using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Settings;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Consumer.Reporting;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>
/// A command line with what it takes from files, as far as it has to be known before it is parsed: assemblies, on which depends what strategies and sinks there
/// are. What is wrong with such a file is told when it is read for good.
/// </summary>
internal static class ForeseenArguments
{
    private static readonly string[] Assemblies = [StrategyAssembly.Option, SinkAssembly.Option];

    /// <param name="arguments">The command line, whose own options come first.</param>
    public static IReadOnlyList<string> Of(IReadOnlyList<string> arguments)
    {
        if (arguments.Count == 0 || (arguments[0] != ComparisonForm.Compare.Name && arguments[0] != ComparisonForm.Sweep.Name))
        {
            return arguments;
        }

        try
        {
            return EarlyOption.ValueOf(NamedComparison.ResumeName, arguments) is { } resumed && File.Exists(resumed)
                    ? [.. arguments, .. EarlierComparison.Read(NamedComparison.ResumeName, resumed).Comparison.Arguments]
                : EarlyOption.ValueOf(NamedComparison.ScenarioName, arguments) is { } scenario && File.Exists(scenario)
                    ? [.. arguments, .. AssembliesOf(SettingsDocument.ReadFile(scenario))]
                : arguments;
        }
        catch (UsageException)
        {
            return arguments;
        }
    }

    private static IEnumerable<string> AssembliesOf(SettingsDocument scenario) =>
        Assemblies.SelectMany(option => scenario.Root.Find(option[2..])?.Text() is { } file ? new[] { option, file } : []);
}
