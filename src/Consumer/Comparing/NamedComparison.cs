using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>A comparison whose options come from a file: an incomplete result or a scenario.</summary>
/// <param name="form">The command.</param>
/// <param name="foreseen">The scenario, if it was read before, or null.</param>
internal sealed class NamedComparison(ComparisonForm form, Scenario? foreseen)
{
    /// <summary>The option that names the result of a comparison to continue.</summary>
    public const string ResumeName = "--resume";

    /// <summary>The option that names the state file of a comparison that was killed.</summary>
    public const string CleanUpName = "--clean-up";

    /// <summary>The option that names a scenario.</summary>
    public const string ScenarioName = "--scenario";

    /// <summary>Names the result of a comparison to continue.</summary>
    public Option<string?> Resume { get; } =
        Options.Text(ResumeName, "Continue the comparison that wrote this file, with the options stored in it. A finished one is reported again", "FILE");

    /// <summary>Names the state file of a comparison that was killed.</summary>
    public Option<string?> CleanUp { get; } =
        Options.Text(CleanUpName, "Remove what a killed comparison left on the services. This state file of it names every entity", "FILE");

    /// <summary>Names a scenario.</summary>
    public Option<string?> Scenario { get; } =
        Options.Text(
            ScenarioName,
            "Options from this file: a JSON object of names without dashes and values. Options on the command line override it (docs/compare.md)",
            "FILE.json"
        );

    /// <summary>Whether the options come from the command line alone.</summary>
    public bool IsAbsent(System.CommandLine.Parsing.CommandResult result) => !result.IsGiven(Resume) && !result.IsGiven(Scenario) && !result.IsGiven(CleanUp);

    /// <summary>The problems of options beside the removal of entities, which has none.</summary>
    public IEnumerable<string> CleanUpProblems(System.CommandLine.Parsing.CommandResult result) =>
        result.IsGiven(CleanUp)
            ? GetGiven(result, CleanUp).Select(option => $"{CleanUp.Name}: cannot be combined with {option.Name}, since no strategy is run")
            : [];

    /// <summary>The problems of options that cannot be combined with a comparison to continue, because its file already contains them.</summary>
    /// <param name="result">The parsed options.</param>
    /// <param name="allowed">The options that are still allowed.</param>
    public IEnumerable<string> ResumeProblems(System.CommandLine.Parsing.CommandResult result, params IReadOnlyList<Option> allowed) =>
        result.IsGiven(Resume)
            ? GetGiven(result, Resume)
                .Where(option => !allowed.Contains(option))
                .Select(option => $"{Resume.Name}: cannot be combined with {option.Name}, which the file contains")
            : [];

    /// <summary>The comparison to continue, and its stored options.</summary>
    /// <exception cref="UsageException">The file cannot be read, or another command wrote it.</exception>
    public (ComparisonResult Result, IReadOnlyList<string> Arguments) ReadResumed(string file)
    {
        var resumed = EarlierComparison.Read(Resume.Name, file);
        var arguments = resumed.Comparison.Arguments;
        var maker = arguments.Count > 0 ? arguments[0] : "";
        return maker == form.Name
            ? (resumed, [.. arguments.Skip(1)])
            : throw new UsageException($"{Resume.Name} {file}: it was written by '{maker}', not by '{form.Name}'");
    }

    // The options beside this one and those of the log.
    private static IEnumerable<Option> GetGiven(System.CommandLine.Parsing.CommandResult result, Option beside) =>
        result.Command.Options.Where(option => option != beside && !option.Name.StartsWith("--log", StringComparison.Ordinal) && result.IsGiven(option));

    // A name that only the other command has is not a misspelling.
    private string OfName(string file) =>
        form.IsSweep
            ? $"or by its name {ComparisonForm.ProcessorScenario}{(Suggestion.Nearest(file, [ComparisonForm.ProcessorScenario]) is null ? "" : ": did you mean that?")}"
        : file == ComparisonForm.ProcessorScenario ? $"and '{file}' is a scenario of {ComparisonForm.Sweep.Name}"
        : "as docs/compare.md describes it";

    /// <summary>The arguments of a scenario, together with those of the command line.</summary>
    /// <param name="file">The scenario.</param>
    /// <param name="given">The parsed options of the command line.</param>
    /// <param name="severalTimes">Options that may be given several times.</param>
    /// <exception cref="UsageException">The scenario cannot be used.</exception>
    public IReadOnlyList<string> ReadScenario(string file, ParseResult given, IReadOnlyCollection<Option> severalTimes)
    {
        if (!File.Exists(file))
        {
            throw new UsageException($"{Scenario.Name} '{file}': {UnreadableFile.GetReason(file)}, allowed a file, {OfName(file)}");
        }

        var options = given.CommandResult.Command.Options.Where(option => option != Scenario && option != Resume && option != CleanUp).ToList();
        var own = options.Where(given.IsGiven).ToList();
        var scenario = foreseen?.File == file ? foreseen : Comparing.Scenario.Read(file);
        var arguments = scenario.Arguments([.. options.Select(GetName)], [.. own.Select(GetName)], [.. severalTimes.Select(GetName)]);
        return [.. arguments, .. own.SelectMany(option => StoredArguments.Tokens(given, option))];

        static string GetName(Option option) => option.Name[2..];
    }
}
