using System.Text.RegularExpressions;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>
/// Folders of one project do not need each other mutually, the project's own folder included: of two of them one stands on the other. Read from
/// the text of the files, since a compiled constant tells no longer where it came from.
/// </summary>
public sealed partial class FolderTests
{
    private static readonly string Source = RepositoryFiles.PathOf("src");

    public static TheoryData<string> Projects => [.. Directory.GetDirectories(Source).Select(static folder => Path.GetFileName(folder)).Order()];

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_two_folders_of_a_project_need_each_other(string project) => Assert.Empty(Mutual(Read(Path.Combine(Source, project))));

    [Fact]
    public void Two_folders_that_need_each_other_are_found()
    {
        SourceText[] files =
        [
            new("A", "One.cs", "namespace P.A;\nusing P.B;\ninternal sealed class One\n{\n    private Two? two;\n}\n"),
            new("B", "Two.cs", "namespace P.B;\nusing P.A;\ninternal sealed class Two\n{\n    public One? Other() => null;\n}\n"),
        ];

        Assert.Equal("A: One.cs needs Two of B; B: Two.cs needs One of A", Assert.Single(Mutual(files)));
    }

    [Fact]
    public void A_folder_that_stands_on_another_is_no_finding()
    {
        SourceText[] files =
        [
            new("A", "One.cs", "namespace P.A;\nusing P.B;\ninternal sealed class One\n{\n    private Two? two;\n}\n"),
            new(
                "B",
                "Two.cs",
                "namespace P.B;\ninternal sealed class Two\n{\n    // One is only spoken of here, and in \"One\".\n    public int One { get; }\n}\n"
            ),
        ];

        Assert.Empty(Mutual(files));
    }

    private static List<SourceText> Read(string project) =>
        [
            .. Directory
                .GetFiles(project, "*.cs", SearchOption.AllDirectories)
                .Select(file => (File: file, Folder: Path.GetDirectoryName(Path.GetRelativePath(project, file))!))
                .Where(static one => one.Folder.Split(Path.DirectorySeparatorChar)[0] is not ("bin" or "obj"))
                .Select(static one => new SourceText(one.Folder, Path.GetFileName(one.File), File.ReadAllText(one.File))),
        ];

    // A name stands for a type of the project when one folder alone declares it, its namespace is in sight, and it is no member of the file's own.
    private static IEnumerable<string> Mutual(IReadOnlyList<SourceText> files)
    {
        var declared = files
            .SelectMany(static file => Declaration().Matches(file.Code).Select(match => (Name: match.Groups["name"].Value, file.Folder, file.Namespace)))
            .GroupBy(static type => type.Name, StringComparer.Ordinal)
            .Where(static types => types.Select(type => type.Folder).Distinct(StringComparer.Ordinal).Count() == 1)
            .ToDictionary(static types => types.Key, static types => types.First(), StringComparer.Ordinal);
        var needs = new Dictionary<(string From, string To), string>();
        foreach (var file in files)
        {
            foreach (var name in Name().Matches(file.Code).Select(static match => match.Value).Distinct(StringComparer.Ordinal))
            {
                if (declared.TryGetValue(name, out var type) && type.Folder != file.Folder && file.Sees(type.Namespace) && !file.HasMember(name))
                {
                    needs.TryAdd((file.Folder, type.Folder), $"{Shown(file.Folder)}: {file.Name} needs {name} of {Shown(type.Folder)}");
                }
            }
        }

        return needs
            .Where(need => string.CompareOrdinal(need.Key.From, need.Key.To) < 0 && needs.ContainsKey((need.Key.To, need.Key.From)))
            .Select(need => $"{need.Value}; {needs[(need.Key.To, need.Key.From)]}");
    }

    private static string Shown(string folder) => folder.Length == 0 ? "the project's own folder" : folder;

    [GeneratedRegex(
        @"^(?:(?:public|internal|file|sealed|static|abstract|readonly|partial|ref|unsafe) )*(?:class|record struct|record|struct|interface|enum|delegate [^(]+?) (?<name>\w+)",
        RegexOptions.Multiline | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 10_000
    )]
    private static partial Regex Declaration();

    // Not behind a dot, and not what is set in an initializer.
    [GeneratedRegex(@"(?<![\w.])[A-Z]\w*\b(?!\s*=[^=>])", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Name();

    /// <summary>A file without its comments and texts.</summary>
    private sealed partial class SourceText(string folder, string name, string text)
    {
        private readonly HashSet<string> usings = [.. Using().Matches(text).Select(static match => match.Groups["name"].Value)];
        private HashSet<string>? members;

        public string Folder { get; } = folder;

        public string Name { get; } = name;

        public string Code { get; } = Quoted().Replace(Comment().Replace(text, string.Empty), "\"\"");

        public string Namespace { get; } = NamespaceLine().Match(text).Groups["name"].Value;

        public bool Sees(string other) => usings.Contains(other) || Namespace == other || Namespace.StartsWith($"{other}.", StringComparison.Ordinal);

        public bool HasMember(string word) => (members ??= [.. Member().Matches(Code).Select(static match => match.Groups["name"].Value)]).Contains(word);

        [GeneratedRegex(@"^using (?:static )?(?<name>[\w.]+);", RegexOptions.Multiline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
        private static partial Regex Using();

        [GeneratedRegex(@"^namespace (?<name>[\w.]+);", RegexOptions.Multiline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
        private static partial Regex NamespaceLine();

        [GeneratedRegex("//.*", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
        private static partial Regex Comment();

        [GeneratedRegex(@"""(?:\\.|[^""\\])*""", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
        private static partial Regex Quoted();

        [GeneratedRegex(@"[\w>\]?] (?<name>[A-Z]\w*)\s*(?:\{ (?:get|init)|=>|=[^=>]|;)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
        private static partial Regex Member();
    }
}
