using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>
/// A comparison as a file: a JSON object whose members are the options of the command without dashes, with a list if an option takes several values.
/// Limits and errors are those of the command line. It is read once, so the code that runs is the code that was announced.
/// </summary>
internal sealed class Scenario
{
    private static readonly string[] Commands = [ComparisonForm.Compare.Name, ComparisonForm.Sweep.Name];

    private readonly byte[] json;

    private Scenario(string file, byte[] json) => (File, this.json) = (file, json);

    /// <summary>The path, as it was given.</summary>
    public string File { get; }

    /// <summary>The assembly of strategies, or null. Configuration may name code, a result may not.</summary>
    public string? StrategyAssembly => GetText(Lab.Configuration.StrategyAssembly.Option);

    /// <summary>The assembly of sinks or handlers, with the option that names it, or null.</summary>
    public (string Option, string File)? SinkAssembly =>
        GetText(Lab.Configuration.SinkAssembly.Option) is { } file ? (Lab.Configuration.SinkAssembly.Option, file)
        : GetText(Lab.Configuration.SinkAssembly.HandlerOption) is { } handler ? (Lab.Configuration.SinkAssembly.HandlerOption, handler)
        : null;

    /// <summary>Reads a file.</summary>
    /// <exception cref="UsageException">The file cannot be read or is not a JSON object.</exception>
    public static Scenario Read(string file)
    {
        var scenario = new Scenario(file, NamedFile.Read(file, file, SettingsDocument.LargestSize));
        _ = scenario.Parse();
        return scenario;
    }

    /// <summary>
    /// The scenario that a command line names, read before parsing because the available strategies and sinks depend on it. Null if none is named or it
    /// cannot be read. In the second case the command reports the reason.
    /// </summary>
    public static Scenario? NamedIn(IReadOnlyList<string> arguments)
    {
        if (
            arguments.Count == 0
            || !Commands.Contains(arguments[0])
            || EarlyOption.GetValue(NamedComparison.ResumeName, arguments) is not null
            || EarlyOption.GetValue(NamedComparison.ScenarioName, arguments) is not { } file
            || !System.IO.File.Exists(file)
        )
        {
            return null;
        }

        try
        {
            return Read(file);
        }
        catch (UsageException)
        {
            return null;
        }
    }

    /// <summary>A notice of the code that the scenario names and that will run, for the first line of output. Null if it names none.</summary>
    /// <param name="arguments">The command line, whose options override those of the scenario.</param>
    public string? NoticeBeside(IReadOnlyList<string> arguments)
    {
        string[] code =
        [
            .. NamedBy(Lab.Configuration.StrategyAssembly.Option, StrategyAssembly),
            .. SinkAssembly is var (option, sinks) ? NamedBy(option, sinks) : [],
            .. EarlyOption.GetValue(StoredArguments.Strategies, arguments) is null ? Builds() : [],
        ];
        return code.Length > 0 ? $"{arguments[0]}: {File} names code that is run: {string.Join(", ", code)}" : null;

        IEnumerable<string> NamedBy(string option, string? file) =>
            file is null || EarlyOption.GetValue(option, arguments) is not null ? [] : [$"{option} {file}"];
    }

    /// <summary>The members as arguments.</summary>
    /// <param name="known">The allowed options, without their dashes.</param>
    /// <param name="given">The options of the command line, which override the members.</param>
    /// <param name="severalTimes">Options that are repeated for each item of a list. For all others the items are joined by commas.</param>
    /// <exception cref="UsageException">The scenario names an unknown option.</exception>
    public IReadOnlyList<string> Arguments(IReadOnlyCollection<string> known, IReadOnlyCollection<string> given, IReadOnlyCollection<string> severalTimes)
    {
        var document = Parse();
        List<string> arguments = [];
        foreach (var name in known)
        {
            if (document.Root.Find(name) is { } value && GetArguments(name, value, severalTimes.Contains(name)) is { } found && !given.Contains(name))
            {
                arguments.AddRange(found);
            }
        }

        document.ThrowIfWrong();
        return arguments;
    }

    // Each reader parses again, because unused members are reported for each reader separately.
    private SettingsDocument Parse() => SettingsDocument.Parse(File, json);

    private string? GetText(string option) => Parse().Root.Find(option[2..])?.Text();

    private IEnumerable<string> Builds()
    {
        var strategies = Parse().Root.Find(StoredArguments.Strategies[2..]);
        var texts = strategies is { Kind: SettingKind.List }
            ? (strategies.List() ?? []).Select(static one => one.Text()).OfType<string>()
            : strategies?.Text()?.Split(',') ?? [];
        return texts.Select(ComparedConfigurationReader.GetBuild).OfType<string>().Distinct(StringComparer.Ordinal).Select(static folder => $"build={folder}");
    }

    private static IReadOnlyList<string> GetArguments(string name, SettingValue value, bool severalTimes)
    {
        var option = $"--{name}";
        switch (value.Kind)
        {
            case SettingKind.Flag:
                return value.Flag() == true ? [option] : [];
            case SettingKind.List:
                List<string> items = [.. (value.List() ?? []).Select(GetText).OfType<string>()];
                return severalTimes ? [.. items.SelectMany(item => new[] { option, item })] : [option, string.Join(',', items)];
            default:
                return GetText(value) is { } text ? [option, text] : [];
        }
    }

    private static string? GetText(SettingValue value) =>
        value.Kind == SettingKind.Number
            ? value.Number(double.MinValue, double.MaxValue)?.ToString("0.###############", CultureInfo.InvariantCulture)
            : value.Text();
}
