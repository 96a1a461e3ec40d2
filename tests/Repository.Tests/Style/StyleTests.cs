using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Style;

/// <summary>
/// The English of everything that people read, by docs/style.md.
/// </summary>
public sealed class StyleTests(ITestOutputHelper output)
{
    // Words of the field, and quotations.
    private static readonly (string Text, string Reason)[] Exceptions =
    [
        ("behind a proxy", "the place of a server, not a time"),
        ("head-of-line", "the word of the field"),
        ("F1-behind", "the name of a row of the fault matrix"),
        ("F28-behind", "the name of a row of the fault matrix"),
    ];

    private static readonly string[] Skipped = ["bin", "obj", "node_modules", "packages", ".git"];

    private const int MostShown = 200;

    [Fact]
    public void No_text_breaks_a_rule()
    {
        Assert.InRange(Exceptions.Length, 0, 40);
        var rules = StyleRules.Read();
        var texts = Everything().ToList();
        foreach (var area in texts.GroupBy(static text => text.Area).OrderBy(static area => area.Key, StringComparer.Ordinal))
        {
            output.WriteLine($"{area.Key}: {area.Count()} texts");
        }

        var violations = texts.SelectMany(rules.Check).Where(static one => !IsException(one)).ToList();

        Assert.True(
            violations.Count == 0,
            string.Join('\n', violations.Select(static one => one.ToString()).Take(MostShown).Prepend($"{violations.Count} violations"))
        );
    }

    [Theory]
    [InlineData("The writer who is late.", "who")]
    [InlineData("A page of its own.", "of its own")]
    [InlineData("It is no sink.", "is no")]
    [InlineData("The reader waits; the writer does not.", ";")]
    [InlineData("It goes\non.", "goes on")]
    [InlineData("a b c d e f g h i j k l m n o p q r s t u v w x y z.", "a b c d e f")]
    public void A_text_that_breaks_a_rule_is_found(string text, string found) =>
        Assert.Equal([found], MarkdownProse.Read("page.md", text).SelectMany(StyleRules.Read().Check).Select(static one => one.Found));

    [Theory]
    [InlineData("There is no sink.")]
    [InlineData("It is no longer read.")]
    [InlineData("`who; is no`")]
    [InlineData("```\nwho goes on; of its own\n```")]
    [InlineData("The whole of the holder.")]
    [InlineData("A first sentence with a few words. A second sentence with a few words. A third sentence with a few words and no more.")]
    public void A_text_that_keeps_the_rules_is_not_found(string text) => Assert.Empty(MarkdownProse.Read("page.md", text).SelectMany(StyleRules.Read().Check));

    [Fact]
    public void Comments_literals_and_test_names_of_code_are_read()
    {
        const string Code = """
            /// <summary>A reader of <see cref="X"/>.</summary>
            /// <param name="first">Who it is.</param>
            class C
            {
                // One text
                // of two lines.
                string text = $"nobody reads {this} now";

                [Fact]
                public void Who_is_it() { }
            }
            """;

        var read = CodeProse.Read("src/C.cs", Code, withLiterals: true).ToList();

        Assert.Equal(
            ["A reader of Code.", "Who it is.", "One text of two lines.", "nobody reads Code now", "Who is it"],
            read.Select(static prose => prose.Text)
        );
        Assert.Equal([1, 2, 5, 7, 10], read.Select(static prose => prose.Line));
        Assert.Equal(["Who", "nobody", "Who"], read.SelectMany(StyleRules.Read().Check).Select(static one => one.Found));
    }

    private static bool IsException(Violation violation) =>
        Exceptions.Any(one =>
            one.Text.Contains(violation.Found, StringComparison.OrdinalIgnoreCase)
            && violation.Prose.Text.Contains(one.Text, StringComparison.OrdinalIgnoreCase)
        );

    private static ParallelQuery<Prose> Everything() => FilesBelow(RepositoryFiles.Root).AsParallel().SelectMany(Read);

    private static IEnumerable<Prose> Read(string path)
    {
        var file = Path.GetRelativePath(RepositoryFiles.Root, path).Replace('\\', '/');
        return Path.GetExtension(path) switch
        {
            ".md" when file != "docs/style.md" => MarkdownProse.Read(file, File.ReadAllText(path)),
            ".cs" => CodeProse.Read(file, File.ReadAllText(path), withLiterals: file.StartsWith("src/", StringComparison.Ordinal)),
            _ => [],
        };
    }

    private static IEnumerable<string> FilesBelow(string folder) =>
        Directory
            .EnumerateFiles(folder)
            .Concat(Directory.EnumerateDirectories(folder).Where(static one => !Skipped.Contains(Path.GetFileName(one))).SelectMany(FilesBelow));
}
