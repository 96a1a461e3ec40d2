using System.Text.RegularExpressions;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>
/// A copy of the sources, changed according to CONTRIBUTING.md and built once for all tests. A block of C# is a new file, named by its first line. A
/// block of differences adds lines to those that it quotes, or takes their place.
/// </summary>
public sealed partial class Recipes(CompilerServer compiler) : IAsyncLifetime
{
    private const string Command = "dotnet run --project src/Consumer -- ";

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-recipes-");
    private readonly string text = File.ReadAllText(RepositoryFiles.GetPath("CONTRIBUTING.md")).ReplaceLineEndings("\n");

    public string Consumer => Path.Combine(folder.FullName, "src", "Consumer", "bin", "Debug", "net10.0", "consumer");

    /// <summary>What the recipe of a title has its reader run.</summary>
    public string GetArguments(string title) =>
        GetSection(title).Split('\n').First(line => line.StartsWith(Command, StringComparison.Ordinal))[Command.Length..];

    /// <summary>The files that the recipe of a title adds or changes.</summary>
    public IReadOnlyCollection<string> GetFiles(string title) => [.. GetBlocks(GetSection(title)).Select(static block => block.Path).Distinct()];

    public async ValueTask InitializeAsync()
    {
        SourceCopy.Make(folder.FullName);
        foreach (var (isNew, name, lines) in GetBlocks(text))
        {
            var path = Path.Combine(folder.FullName, name);
            Assert.False(isNew && File.Exists(path), $"{path} is there already");
            await File.WriteAllLinesAsync(path, isNew ? lines : Apply(lines, await File.ReadAllLinesAsync(path), path));
        }

        var arguments = $"build {Path.Combine(folder.FullName, "src", "Consumer")} {compiler.Options} -warnaserror -p:RunAnalyzers=false";
        var built = await Sdk.RunAsync(arguments, [], CancellationToken.None);
        Assert.True(built.ExitCode == 0, $"dotnet {arguments}: {built.Output}{built.Error}");
    }

    public ValueTask DisposeAsync()
    {
        folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    private string GetSection(string title)
    {
        var section = text[text.IndexOf($"\n## {title}\n", StringComparison.Ordinal)..];
        return section.IndexOf("\n## ", 1, StringComparison.Ordinal) is > 0 and var end ? section[..end] : section;
    }

    private static IEnumerable<(bool IsNew, string Path, string[] Lines)> GetBlocks(string text) =>
        from match in Blocks().Matches(text)
        let isNew = match.Groups["kind"].Value == "csharp"
        let lines = match.Groups["lines"].Value.Split('\n')[..^1]
        select (isNew, lines[0][(isNew ? "// " : "--- ").Length..], lines[1..]);

    // The quoted lines are in the file, one after another, once. A plus adds a line at its place among them, a minus removes one.
    private static List<string> Apply(string[] difference, string[] file, string path)
    {
        var quoted = difference.Where(line => !line.StartsWith('+')).Select(Unmarked).ToList();
        var places = Enumerable.Range(0, file.Length).Where(place => file.Skip(place).Take(quoted.Count).SequenceEqual(quoted)).ToList();
        Assert.True(places.Count == 1, $"{path} has these lines {places.Count} times: {string.Join('\n', quoted)}");
        return [.. file[..places[0]], .. difference.Where(line => !line.StartsWith('-')).Select(Unmarked), .. file[(places[0] + quoted.Count)..]];
    }

    private static string Unmarked(string line) => line.Length == 0 ? line : line[1..];

    [GeneratedRegex("\n```(?<kind>csharp|diff)\n(?<lines>.*?\n)```\n", RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Blocks();
}
