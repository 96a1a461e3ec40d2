using System.Text.RegularExpressions;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Projects;

/// <summary>
/// Folders of one project do not need each other in a circle, the project's own folder included. Of two of them at most one depends on the other,
/// directly or by way of others. Read from the text of the files, since a compiled constant does not show where it came from.
/// </summary>
public sealed partial class FolderTests
{
    private static readonly string Source = RepositoryFiles.GetPath("src");

    public static TheoryData<string> Projects => [.. Directory.GetDirectories(Source).Select(static folder => Path.GetFileName(folder)).Order()];

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_folders_of_a_project_need_each_other_in_a_circle(string project) => Assert.Empty(Circles(Read(Path.Combine(Source, project))));

    [Fact]
    public void Two_folders_that_need_each_other_are_found()
    {
        SourceText[] files =
        [
            new("A", "One.cs", "namespace P.A;\nusing P.B;\ninternal sealed class One\n{\n    private Two? two;\n}\n"),
            new("B", "Two.cs", "namespace P.B;\nusing P.A;\ninternal sealed class Two\n{\n    public One? Other() => null;\n}\n"),
        ];

        Assert.Equal("A: One.cs needs Two of B; B: Two.cs needs One of A", Assert.Single(Circles(files)));
    }

    [Fact]
    public void A_circle_of_three_folders_is_found_without_the_folder_that_they_depend_on()
    {
        SourceText[] files =
        [
            new("A", "One.cs", "namespace P.A;\nusing P.B;\ninternal sealed class One\n{\n    private Two? two;\n}\n"),
            new("B", "Two.cs", "namespace P.B;\nusing P.C;\nusing P.D;\ninternal sealed class Two\n{\n    private Three? three;\n    private Four? four;\n}\n"),
            new("C", "Three.cs", "namespace P.C;\nusing P.A;\ninternal sealed class Three\n{\n    public One? Other() => null;\n}\n"),
            new("D", "Four.cs", "namespace P.D;\ninternal sealed class Four;\n"),
        ];

        Assert.Equal("A: One.cs needs Two of B; B: Two.cs needs Three of C; C: Three.cs needs One of A", Assert.Single(Circles(files)));
    }

    [Fact]
    public void A_folder_that_depends_on_another_is_not_a_finding()
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

        Assert.Empty(Circles(files));
    }

    private static List<SourceText> Read(string project) =>
        [
            .. Directory
                .GetFiles(project, "*.cs", SearchOption.AllDirectories)
                .Select(file => (File: file, Folder: Path.GetDirectoryName(Path.GetRelativePath(project, file))!))
                .Where(static one => one.Folder.Split(Path.DirectorySeparatorChar)[0] is not ("bin" or "obj"))
                .Select(static one => new SourceText(one.Folder, Path.GetFileName(one.File), File.ReadAllText(one.File))),
        ];

    // A name refers to a type of the project under three conditions. One folder alone declares it, its namespace is in sight, and it is not a member
    // of the file's own.
    private static IEnumerable<string> Circles(IReadOnlyList<SourceText> files)
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

        return FindCycles(needs.Keys)
            .Select(circle =>
                string.Join("; ", needs.Where(need => circle.Contains(need.Key.From) && circle.Contains(need.Key.To)).Select(static need => need.Value))
            );
    }

    // The strongly connected components with more than one folder: two folders are in the same one when each reaches the other.
    private static List<HashSet<string>> FindCycles(IReadOnlyCollection<(string From, string To)> needs)
    {
        var next = needs.ToLookup(static need => need.From, static need => need.To, StringComparer.Ordinal);
        var reached = next.Select(static folder => folder.Key)
            .Order(StringComparer.Ordinal)
            .ToDictionary(static folder => folder, ReachedFrom, StringComparer.Ordinal);
        List<HashSet<string>> circles = [];
        foreach (var (folder, others) in reached)
        {
            var circle = others.Where(other => reached.TryGetValue(other, out var back) && back.Contains(folder)).ToHashSet(StringComparer.Ordinal);
            if (circle.Count > 1 && !circles.Exists(known => known.Contains(folder)))
            {
                circles.Add(circle);
            }
        }

        return circles;

        HashSet<string> ReachedFrom(string folder)
        {
            HashSet<string> seen = new(StringComparer.Ordinal);
            Stack<string> open = new([folder]);
            while (open.TryPop(out var one))
            {
                foreach (var other in next[one].Where(seen.Add))
                {
                    open.Push(other);
                }
            }

            return seen;
        }
    }

    private static string Shown(string folder) => folder.Length == 0 ? "the project's own folder" : folder;

    [GeneratedRegex(
        @"^(?:(?:public|internal|file|sealed|static|abstract|readonly|partial|ref|unsafe) )*(?:class|record struct|record|struct|interface|enum|delegate [^(]+?) (?<name>\w+)",
        RegexOptions.Multiline | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 10_000
    )]
    private static partial Regex Declaration();

    // Not after a dot, and not a member that is set in an initializer.
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
