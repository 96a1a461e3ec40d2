using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>
/// A whole comparison as a file: a JSON object whose members are the options of the command without their dashes, a list where an option takes several. It
/// holds nothing that the command line could not, with the same limits and the same errors. It is read once: the code that runs is the code that was announced.
/// </summary>
internal sealed class Scenario
{
    private static readonly string[] Commands = [ComparisonForm.Compare.Name, ComparisonForm.Sweep.Name];

    private readonly byte[] json;

    private Scenario(string file, byte[] json) => (File, this.json) = (file, json);

    /// <summary>The file, as it was named.</summary>
    public string File { get; }

    /// <summary>The assembly of strategies that it names. Null for none. Configuration may name code, a result may not.</summary>
    public string? StrategyAssembly => TextOf(Lab.Configuration.StrategyAssembly.Option);

    /// <summary>The assembly of sinks that it names. Null for none.</summary>
    public string? SinkAssembly => TextOf(Lab.Configuration.SinkAssembly.Option);

    /// <summary>Reads a file.</summary>
    /// <exception cref="UsageException">It cannot be read, or is no JSON object.</exception>
    public static Scenario Read(string file)
    {
        var scenario = new Scenario(file, NamedFile.Read(file, file, SettingsDocument.LargestSize));
        _ = scenario.Parse();
        return scenario;
    }

    /// <summary>
    /// The scenario that a command line names, before it is parsed: which strategies and sinks there are depends on it. Null where it names none that can
    /// be read. Its command reports why.
    /// </summary>
    public static Scenario? NamedIn(IReadOnlyList<string> arguments)
    {
        if (
            arguments.Count == 0
            || !Commands.Contains(arguments[0])
            || EarlyOption.ValueOf(NamedComparison.ResumeName, arguments) is not null
            || EarlyOption.ValueOf(NamedComparison.ScenarioName, arguments) is not { } file
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

    /// <summary>The code that it names and that will run, for the first line that the program prints. Null where it names none.</summary>
    /// <param name="arguments">The command line, whose own options count.</param>
    public string? NoticeBeside(IReadOnlyList<string> arguments)
    {
        string[] code =
        [
            .. NamedBy(Lab.Configuration.StrategyAssembly.Option, StrategyAssembly),
            .. NamedBy(Lab.Configuration.SinkAssembly.Option, SinkAssembly),
            .. EarlyOption.ValueOf(StoredArguments.Strategies, arguments) is null ? Builds() : [],
        ];
        return code.Length > 0 ? $"{arguments[0]}: {File} names code that is run: {string.Join(", ", code)}" : null;

        IEnumerable<string> NamedBy(string option, string? file) =>
            file is null || EarlyOption.ValueOf(option, arguments) is not null ? [] : [$"{option} {file}"];
    }

    /// <summary>Its members as arguments.</summary>
    /// <param name="known">The options that it may have, without their dashes.</param>
    /// <param name="given">Those that the command line has, which count.</param>
    /// <param name="severalTimes">Those that are given once for each item of a list. Of all others the items stand between commas.</param>
    /// <exception cref="UsageException">It names an option that there is not.</exception>
    public IReadOnlyList<string> Arguments(IReadOnlyCollection<string> known, IReadOnlyCollection<string> given, IReadOnlyCollection<string> severalTimes)
    {
        var document = Parse();
        List<string> arguments = [];
        foreach (var name in known)
        {
            if (document.Root.Find(name) is { } value && ArgumentsOf(name, value, severalTimes.Contains(name)) is { } found && !given.Contains(name))
            {
                arguments.AddRange(found);
            }
        }

        document.ThrowIfWrong();
        return arguments;
    }

    // Each reader has its own: what one looks at is no problem of another.
    private SettingsDocument Parse() => SettingsDocument.Parse(File, json);

    private string? TextOf(string option) => Parse().Root.Find(option[2..])?.Text();

    private IEnumerable<string> Builds()
    {
        var strategies = Parse().Root.Find(StoredArguments.Strategies[2..]);
        var texts = strategies is { Kind: SettingKind.List }
            ? (strategies.List() ?? []).Select(static one => one.Text()).OfType<string>()
            : strategies?.Text()?.Split(',') ?? [];
        return texts.Select(ComparedConfigurationReader.BuildOf).OfType<string>().Distinct(StringComparer.Ordinal).Select(static folder => $"build={folder}");
    }

    private static IReadOnlyList<string> ArgumentsOf(string name, SettingValue value, bool severalTimes)
    {
        var option = $"--{name}";
        switch (value.Kind)
        {
            case SettingKind.Flag:
                return value.Flag() == true ? [option] : [];
            case SettingKind.List:
                List<string> items = [.. (value.List() ?? []).Select(TextOf).OfType<string>()];
                return severalTimes ? [.. items.SelectMany(item => new[] { option, item })] : [option, string.Join(',', items)];
            default:
                return TextOf(value) is { } text ? [option, text] : [];
        }
    }

    private static string? TextOf(SettingValue value) =>
        value.Kind == SettingKind.Number
            ? value.Number(double.MinValue, double.MaxValue)?.ToString("0.###############", CultureInfo.InvariantCulture)
            : value.Text();
}
