using System.Text;
using EventHubThroughput.Settings.Json;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Settings.Tests;

public sealed class SettingsDocumentTests
{
    [Theory]
    [InlineData("""{"count": 5000}""", "s.json:1: 'count' 5000: allowed 1 to 1024")]
    [InlineData("""{"count": 4.5}""", "s.json:1: 'count' 4.5: not a whole number, allowed 1 to 1024")]
    [InlineData("""{"count": 1000000000000000000000000}""", "s.json:1: 'count' 10000000000000000...: allowed 1 to 1024")]
    [InlineData("""{"count": "4"}""", "s.json:1: 'count' '4': not a whole number, allowed 1 to 1024")]
    [InlineData("""{"count": [4]}""", "s.json:1: 'count': not a whole number, allowed 1 to 1024")]
    [InlineData("""{"share": 1.5}""", "s.json:1: 'share' 1.5: allowed 0 to 1")]
    [InlineData("""{"share": 1e999}""", "s.json:1: 'share' 1e999: allowed 0 to 1")]
    [InlineData("""{"share": "NaN"}""", "s.json:1: 'share' 'NaN': not a number, allowed 0 to 1")]
    [InlineData("""{"on": 1}""", "s.json:1: 'on' 1: allowed true and false")]
    [InlineData("""{"time": 10}""", "s.json:1: 'time' 10: missing unit, write \"10s\" or \"10ms\"")]
    [InlineData("""{"time": "10"}""", "s.json:1: 'time' '10': missing unit, write 10s, 500ms or 2m")]
    [InlineData("""{"time": "2h"}""", "s.json:1: 'time' '2h': allowed 1s to 1m")]
    [InlineData("""{"size": "2GiB"}""", "s.json:1: 'size' '2GiB': allowed 1 to 1MiB")]
    [InlineData("""{"size": -1}""", "s.json:1: 'size' -1: not a size, write 65536, \"64KiB\" or \"1MiB\", allowed 1 to 1MiB")]
    [InlineData("""{"name": " "}""", "s.json:1: 'name' ' ': blank")]
    [InlineData("""{"name": true}""", "s.json:1: 'name' true: not a text")]
    [InlineData("""{"kind": "noen"}""", "s.json:1: 'kind' 'noen': unknown, did you mean 'none'? Known: none, article")]
    [InlineData("""{"kind": "other"}""", "s.json:1: 'kind' 'other': unknown. Known: none, article")]
    [InlineData("""{"names": "a"}""", "s.json:1: 'names' 'a': not a list")]
    [InlineData("""{"groups": {}}""", "s.json:1: 'groups': not a list")]
    [InlineData("""{"groups": [1]}""", "s.json:1: 'groups[0]' 1: not an object")]
    [InlineData("""{"groups": [null]}""", "s.json:1: 'groups[0]': null")]
    [InlineData("""{"groups": [{}]}""", "s.json:1: 'groups[0].name': missing")]
    [InlineData("""{"coutn": 4}""", "s.json:1: 'coutn': unknown, did you mean 'count'?")]
    [InlineData("""{"count": 4, "count": 5}""", "s.json:1: 'count': given twice")]
    [InlineData("""{"name": "SharedAccessKey=abc=="}  """, null)]
    [InlineData("""{"SharedAccessKey=abc": 1}""", "s.json:1: 'SharedAccessKey=***': unknown. Known: count, groups, kind, name, names, on, share, size, time")]
    [InlineData("""{"count": null, "names": [], "size": "64KiB"}""", null)]
    public void A_member_is_what_was_asked_for_or_one_problem(string json, string? expected)
    {
        var document = Parse(json);
        Ask(document.Root);
        Assert.Equal(expected is null ? [] : [expected], document.Problems);
    }

    [Fact]
    public void All_problems_are_listed_in_the_order_of_their_lines()
    {
        var document = Parse(
            """
            {
              "unknown": { "x": 1 },
              "count": 0,
              "groups": [
                { "name": "a" },
                { "nmae": "b" }
              ],
              "on": "yes"
            }
            """
        );
        Ask(document.Root);
        var exception = Assert.Throws<UsageException>(document.ThrowIfWrong);
        Assert.Equal(
            [
                "s.json:2: 'unknown': unknown. Known: count, groups, kind, name, names, on, share, size, time",
                "s.json:3: 'count' 0: allowed 1 to 1024",
                "s.json:6: 'groups[1].name': missing",
                "s.json:6: 'groups[1].nmae': unknown, did you mean 'name'?",
                "s.json:8: 'on' 'yes': allowed true and false",
            ],
            exception.Problems
        );
    }

    [Fact]
    public void Valid_members_are_read()
    {
        var root = Parse(
            """
            { "count": 7, "share": 0.25, "on": true, "time": "10s", "size": "64KiB", "kind": "article", "names": ["a", "b"], "groups": [{ "name": "x" }] }
            """
        ).Root;
        Assert.Equal(
            (7, 0.25, true, TimeSpan.FromSeconds(10), 65_536L, "article"),
            (
                root.Integer("count", 1, 1, 1_024),
                root.Number("share", 0, 0, 1),
                root.Flag("on"),
                root.Duration("time", default, default, TimeSpan.FromMinutes(1)),
                root.Find("size")!.Size(1, 1 << 20),
                root.Choice("kind", "none", ["none", "article"])
            )
        );
        Assert.Equal(["a", "b"], root.Texts("names", []));
        Assert.Equal("x", Assert.Single(root.Groups("groups")).Require("name")!.Text());
    }

    [Theory]
    [InlineData("", "s.json:1: not valid JSON: unexpected end")]
    [InlineData("{\n\"a\": 1,\n", "s.json:3: not valid JSON: unexpected end")]
    [InlineData("{\n\"a\": 1,\n}", "s.json:3: not valid JSON: error at column 1")]
    [InlineData("{} {}", "s.json:1: not valid JSON: error at column 4")]
    [InlineData("// comment\n{}", "s.json:1: not valid JSON: error at column 1")]
    [InlineData("{\"a\": secret}", "s.json:1: not valid JSON: error at column 7")]
    [InlineData("[]", "s.json:1: not an object")]
    [InlineData("\nnull", "s.json:1: not an object")]
    [InlineData("{\"a\": \"\\ud800\"}", "s.json:1: not valid JSON: half of a surrogate pair")]
    public void A_text_that_is_not_a_JSON_object_is_refused_with_its_line(string json, string expected) =>
        Assert.Equal([expected], Assert.Throws<UsageException>(() => Parse(json)).Problems);

    [Fact]
    public void Bytes_that_are_not_text_are_refused() =>
        Assert.Equal(
            ["s.json:1: not valid UTF-8"],
            Assert.Throws<UsageException>(static () => SettingsDocument.Parse("s.json", [(byte)'{', 0xff, (byte)'}'])).Problems
        );

    [Theory]
    [InlineData(64, null)]
    [InlineData(65, "s.json:1: nested deeper than 64")]
    [InlineData(100_000, "s.json:1: nested deeper than 64")]
    public void Nesting_is_limited(int depth, string? expected)
    {
        var json = "{\"a\":" + new string('[', depth - 1) + new string(']', depth - 1) + "}";
        var problems = Record.Exception(() => Parse(json)) is UsageException exception ? exception.Problems : [];
        Assert.Equal(expected is null ? [] : [expected], problems);
    }

    [Fact]
    public void A_document_takes_memory_for_its_content_and_not_for_the_paths_of_all_values()
    {
        var name = new string('n', SettingsDocument.LargestName);
        var json = Encoding.UTF8.GetBytes($"{{\"{name}\":[{string.Join(',', Enumerable.Repeat("{\"a\":null}", 20_000))}]}}");
        var before = GC.GetAllocatedBytesForCurrentThread();
        SettingsDocument.Parse("body", json);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 10_000_000);
    }

    [Theory]
    [InlineData("null", 20_000)]
    [InlineData("1", 20_000)]
    [InlineData("\"x\"", 30)]
    public void The_first_problems_are_listed_and_the_others_counted(string item, int count)
    {
        var document = Parse($"{{\"groups\":[{string.Join(',', Enumerable.Repeat(item, count))}]}}");
        Ask(document.Root);
        Assert.Equal(SettingsDocument.MostProblems + 1, document.Problems.Count);
        Assert.Equal($"s.json: and {count - SettingsDocument.MostProblems} more", document.Problems[^1]);
    }

    [Fact]
    public void Unknown_members_are_listed_and_counted_after_other_problems()
    {
        var document = Parse($"{{\"count\":0,{string.Join(',', Enumerable.Range(0, 50).Select(static i => $"\"unknown{i}\":1"))}}}");
        Ask(document.Root);
        Assert.Equal(("s.json:1: 'count' 0: allowed 1 to 1024", "s.json: and 31 more"), (document.Problems[0], document.Problems[^1]));
    }

    [Fact]
    public void A_long_value_is_shown_in_part_and_a_long_name_refused()
    {
        var document = Parse($"{{\"name\":[],\"count\":\"{new string('x', 100_000)}\"}}");
        Ask(document.Root);
        Assert.All(document.Problems, static problem => Assert.InRange(problem.Length, 1, 400));
        Assert.Equal(
            ["s.json:2: a name is longer than 256 characters"],
            Assert.Throws<UsageException>(static () => Parse($"{{\n\"{new string('n', 257)}\":1}}")).Problems
        );
    }

    [Fact]
    public void A_number_is_shown_in_20_characters_and_one_of_many_digits_is_out_of_range_unread()
    {
        var document = Parse($"{{\"count\":{new string('9', 900_000)},\"share\":{new string('8', 50)}}}");
        Ask(document.Root);
        Assert.Equal(
            ["s.json:1: 'count' 99999999999999999...: allowed 1 to 1024", "s.json:1: 'share' 88888888888888888...: allowed 0 to 1"],
            document.Problems
        );
    }

    [Fact]
    public void A_query_is_read_like_a_body()
    {
        var document = SettingsDocument.OfQuery([
            new("count", "7"),
            new("share", "0.5"),
            new("on", "true"),
            new("time", "10s"),
            new("size", "1KiB"),
            new("kind", "none"),
            new("names", "a, b"),
            new("count", "8"),
            new("partitons", "4"),
        ]);
        Assert.Equal((7, 0.5, true), (document.Root.Integer("count", 1, 1, 1_024), document.Root.Number("share", 0, 0, 1), document.Root.Flag("on")));
        Ask(document.Root);
        Assert.Equal(["a", "b"], document.Root.Texts("names", []));
        Assert.Equal(
            ["query: 'count': given twice", "query: 'partitons': unknown. Known: count, groups, kind, name, names, on, share, size, time"],
            document.Problems
        );
    }

    [Fact]
    public void A_file_that_cannot_be_had_is_one_problem()
    {
        var folder = Directory.CreateTempSubdirectory("eht-settings-");
        try
        {
            var large = Path.Combine(folder.FullName, "large.json");
            File.WriteAllText(large, "{" + new string(' ', SettingsDocument.LargestSize) + "}");
            var missing = Path.Combine(folder.FullName, "missing.json");
            Assert.Equal([$"{missing}: not found"], Assert.Throws<UsageException>(() => SettingsDocument.ReadFile(missing)).Problems);
            Assert.Equal([$"{folder.FullName}: is a folder"], Assert.Throws<UsageException>(() => SettingsDocument.ReadFile(folder.FullName)).Problems);
            Assert.Equal([$"{large}: larger than 1048576 bytes"], Assert.Throws<UsageException>(() => SettingsDocument.ReadFile(large)).Problems);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public void Any_bytes_give_a_document_or_one_declared_error()
    {
        var pieces = Gen.Elements("{", "}", "[", "]", ":", ",", "\"a\"", "\"count\"", "1", "-1e9", "true", "null", "\n", "\"\\u12", "\ud7ff", "\0", "//");
        Prop.ForAll(
                Gen.ListOf(pieces).Select(static list => string.Concat(list)).ToArbitrary(),
                static json =>
                {
                    if (Record.Exception(() => Ask(Parse(json).Root)) is { } exception)
                    {
                        Assert.IsType<UsageException>(exception);
                    }
                }
            )
            .Check(PropertyCases.Usual);
    }

    private static SettingsDocument Parse(string json) => SettingsDocument.Parse("s.json", Encoding.UTF8.GetBytes(json));

    private static void Ask(SettingGroup root)
    {
        root.Integer("count", 1, 1, 1_024);
        root.Number("share", 0, 0, 1);
        root.Flag("on");
        root.Duration("time", TimeSpan.Zero, TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(1));
        root.Find("size")?.Size(1, 1 << 20);
        root.Text("name", "");
        root.Choice("kind", "none", ["none", "article"]);
        root.Texts("names", []);
        foreach (var group in root.Groups("groups"))
        {
            group.Require("name")?.Text();
        }
    }
}
