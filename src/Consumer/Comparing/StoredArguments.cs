using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>
/// The arguments that a result stores. A result may come from an untrusted source. So nothing that runs code, writes a file or opens a port is taken from
/// it. The command line must name them again.
/// </summary>
/// <param name="named">The option that names the result, and its path.</param>
/// <param name="stored">The parsed arguments of the result.</param>
/// <param name="given">The parsed options of the command line.</param>
internal sealed class StoredArguments(string named, ParseResult stored, ParseResult given)
{
    /// <summary>Names the compared configurations, which may include another build.</summary>
    public const string Strategies = "--strategies";

    private static readonly string[] Writing = ["--output", "--report", ComparisonGates.JUnitOption, "--keep", "--metrics-targets"];
    private static readonly string[] Serving = ["--metrics-port", "--metrics-host", "--no-metrics", "--linger"];
    private static readonly string[] Code = [StrategyAssembly.Option, SinkAssembly.Option, SinkAssembly.HandlerOption];

    // Of the environment of that part.
    private static readonly string[] Services = [ServiceArguments.YesName, ServiceArguments.EntitiesName];
    private static readonly string[] Naming = [NamedComparison.ResumeName, NamedComparison.ScenarioName];

    /// <summary>The output files that the result names and that are not written, as options with their values.</summary>
    /// <param name="result">The path of the result, which is written again.</param>
    public IReadOnlyList<string> IgnoredBeside(string result) =>
        [
            .. Of(stored, Writing)
                .Where(option => Find(given, option.Name) is null && !IsSame(GetValue(stored, option), result))
                .Select(option => $"{option.Name} {GetValue(stored, option)}"),
        ];

    /// <summary>The arguments without those that write files, with the code that the command line names.</summary>
    /// <exception cref="UsageException">The result needs code that the command line does not name, or contains an invalid argument.</exception>
    public IReadOnlyList<string> Usable()
    {
        var missing = Of(stored, Code).Where(option => Find(given, option.Name) is null).Select(option => $"{option.Name} {GetValue(stored, option)}");
        if ((string[])[.. missing, .. MissingBuilds()] is { Length: > 0 } absent)
        {
            throw new UsageException(
                $"{named}: the remaining cells need {string.Join(" and ", absent)}. A result cannot name code, so name it on the command line"
            );
        }

        if (stored.Errors.Count > 0)
        {
            throw new UsageException([.. stored.Errors.Select(error => $"{named}: {error.Message}")]);
        }

        string[] special = [.. Writing, .. Serving, .. Code, .. Services, .. Naming];
        return
        [
            .. stored
                .CommandResult.Command.Options.Where(option => stored.IsGiven(option) && !special.Contains(option.Name))
                .SelectMany(option => Tokens(stored, option)),
            .. Of(given, Code).SelectMany(option => Tokens(given, option)),
        ];
    }

    /// <summary>A given option and its values, as arguments.</summary>
    public static IEnumerable<string> Tokens(ParseResult parsed, Option option) =>
        parsed.GetResult(option)!.Tokens is { Count: > 0 } tokens ? tokens.SelectMany(token => new[] { option.Name, token.Value }) : [option.Name];

    // The command line must name the same strategies again, because they can name builds.
    private IEnumerable<string> MissingBuilds()
    {
        var present = GetTexts(stored);
        if (Find(given, Strategies) is null)
        {
            return present.Where(static text => ComparedConfigurationReader.GetBuild(text) is not null).Select(static text => $"{Strategies} {text}");
        }

        return GetTexts(given).SequenceEqual(present, StringComparer.Ordinal)
            ? []
            : throw new UsageException($"{named}: {Strategies} differs from the result, which has {string.Join(',', present)}");
    }

    private static IReadOnlyList<string> GetTexts(ParseResult parsed) =>
        Find(parsed, Strategies) is Option<IReadOnlyList<string>> option ? parsed.GetValue(option) ?? [] : [];

    private static IEnumerable<Option> Of(ParseResult parsed, string[] names) => names.Select(name => Find(parsed, name)).OfType<Option>();

    private static Option? Find(ParseResult parsed, string name) =>
        parsed.CommandResult.Command.Options.FirstOrDefault(option => option.Name == name && parsed.IsGiven(option));

    private static string GetValue(ParseResult parsed, Option option) => string.Join(',', parsed.GetResult(option)!.Tokens.Select(static token => token.Value));

    private static bool IsSame(string path, string other) =>
        path.Length > 0 && string.Equals(Path.GetFullPath(path), Path.GetFullPath(other), StringComparison.Ordinal);
}
