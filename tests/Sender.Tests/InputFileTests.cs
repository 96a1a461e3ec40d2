using System.IO.Compression;
using System.Text;
using EventHubThroughput.Sender.Input;
using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.Sender.Tests;

public sealed class InputFileTests : IDisposable
{
    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public void The_bytes_of_a_line_are_the_body_without_the_line_end()
    {
        var source = Open("x.jsonl", "\uFEFF{\"a\": 1 }\r\n\n  \n{\"net\":\"ä\",\"b\":[]}\n\"last\"", "net");

        Assert.Equal(3, source.Count);
        Assert.Equal([("{\"a\": 1 }", null), ("{\"net\":\"ä\",\"b\":[]}", "ä"), ("\"last\"", null)], source.Read().Select(read => (Text(read), read.Key)));
        Assert.All(source.Read(), read => Assert.Equal("application/json", read.ContentType));
    }

    [Theory]
    [InlineData("{\"k\":\"text\"}", "text")]
    [InlineData("{\"k\":1.50}", "1.50")]
    [InlineData("{\"k\":\"\\u0041\"}", "A")]
    [InlineData("{\"x\":{\"k\":\"inner\"},\"k\":\"outer\"}", "outer")]
    [InlineData("{\"k\":null,\"l\":1}", null)]
    [InlineData("{\"k\":\"\"}", null)]
    [InlineData("{\"l\":1}", null)]
    public void A_key_is_a_text_or_number_of_the_outermost_object(string line, string? key) =>
        Assert.Equal(key, Open("x.jsonl", "{\"k\":\"first\"}\n" + line, "k").Read().Last().Key);

    [Fact]
    public void A_body_in_base64_passes_as_its_bytes()
    {
        var read = Assert.Single(Open("x.jsonl", "{\"net\":\"ci\",\"bodyBase64\":\"/wA=\"}\n", "net").Read());

        Assert.Equal([0xFF, 0x00], read.Body.ToArray());
        Assert.Equal(("application/octet-stream", "ci"), (read.ContentType, read.Key));
    }

    [Fact]
    public void Columns_become_the_texts_of_an_object()
    {
        var source = Open("x.csv", "id,\"net, code\",note\r\n1,ci,\"say \"\"hi\"\"\"\r\n\r\n2,\"n\nc\",\n", "id");

        Assert.Equal(2, source.Count);
        Assert.Equal(
            [("{\"id\":\"1\",\"net, code\":\"ci\",\"note\":\"say \\\"hi\\\"\"}", "1"), ("{\"id\":\"2\",\"net, code\":\"n\\nc\",\"note\":\"\"}", "2")],
            source.Read().Select(read => (Text(read), read.Key))
        );
    }

    [Theory]
    [InlineData("in \"the\" middle", "in \"the\" middle")]
    [InlineData("\"\"", "")]
    [InlineData("\"\"\"\"", "\"")]
    [InlineData(" \"x\" ", " \"x\" ")]
    [InlineData("\"a,b\r\n\r\nc\"", "a,b\r\n\r\nc")]
    [InlineData("\"a\rb\"", "a\rb")]
    [InlineData("\"a\nb\"", "a\nb")]
    [InlineData("a\0b", "a\0b")]
    [InlineData("#no comment", "#no comment")]
    [InlineData("=1+1", "=1+1")]
    public void A_field_is_its_text_and_a_quoted_field_the_text_between_the_quotes(string written, string field) =>
        Assert.Equal(field, Assert.Single(Open("x.csv", $"k\r\n{written}\r\n", "k").Read()).Key ?? "");

    [Fact]
    public void Rows_that_cannot_be_read_do_not_keep_the_others_from_being_read_and_a_row_is_held_to_the_limit_over_all_its_lines()
    {
        var line = new string('x', 400_000);
        var content = $"a\n\"{line}\n{line}\n{line}\n{line}\"\n1\n1,2\n";

        Assert.Equal(
            ["x.csv:2: 1,600,014 bytes, limit 1,048,576", "x.csv:7: 2 columns, the header has 1"],
            Problems("x.csv", Encoding.UTF8.GetBytes(content), null)
        );
    }

    [Theory]
    [InlineData("x.jsonl", "", "x.jsonl: contains no events")]
    [InlineData("x.jsonl", "\n \n", "x.jsonl: contains no events")]
    [InlineData("x.csv", "", "x.csv: contains no events")]
    [InlineData("x.csv", "a,b\n", "x.csv: contains no events")]
    [InlineData("x.txt", "{}", "x.txt: unknown ending of a file, allowed .jsonl, .ndjson, .json, .csv, and each with .gz")]
    [InlineData("x.jsonl", "{}\n{\"secret\":", "x.jsonl:2: not valid JSON: unexpected end")]
    [InlineData("x.jsonl", "{\"a\":1,}", "x.jsonl:1: not valid JSON: unexpected character at byte 8")]
    [InlineData("x.jsonl", "{} {}", "x.jsonl:1: not valid JSON: unexpected character at byte 4")]
    [InlineData("x.jsonl", "{\"bodyBase64\":\"?\"}", "x.jsonl:1: 'bodyBase64' is not Base64")]
    [InlineData("x.csv", "a,b\n1,2\n1,2,3\n", "x.csv:3: 3 columns, the header has 2")]
    [InlineData("x.csv", "a,a\n1,2\n", "x.csv:1: two columns have the same name")]
    [InlineData("x.csv", "a,\n1,2\n", "x.csv:1: a column has no name")]
    [InlineData("x.csv", "a\n\"1\n2\n", "x.csv:2: a quote is not closed")]
    [InlineData("x.csv", "a\n1\n\"say \"\"hi\"\"\" loudly\n", "x.csv:3: a field continues after its closing quote")]
    public void A_bad_file_is_refused_in_one_line(string name, string content, string expected) =>
        Assert.Equal(expected, Assert.Single(Problems(name, Encoding.UTF8.GetBytes(content), null)));

    [Theory]
    [InlineData("x.jsonl", "{\"k\":{}}", "x.jsonl:1: 'k' is neither text nor a number")]
    [InlineData("x.jsonl", "{\"k\":true}", "x.jsonl:1: 'k' is neither text nor a number")]
    [InlineData("x.jsonl", "{\"k\":\"\\ud800\"}", "x.jsonl:1: 'k' is not valid text")]
    [InlineData("x.jsonl", "{\"l\":1}", "--key-field 'k': in no line of x.jsonl")]
    [InlineData("x.csv", "a,b\n1,2\n", "--key-field 'k': not a column of x.csv")]
    public void A_bad_key_is_refused_in_one_line(string name, string content, string expected) =>
        Assert.Equal(expected, Assert.Single(Problems(name, Encoding.UTF8.GetBytes(content), "k")));

    [Theory]
    [InlineData("{\"k\":{\"l\":\"a\"}}", "a")]
    [InlineData("{\"k\":{\"m\":{\"l\":\"no\"},\"l\":7}}", "7")]
    [InlineData("{\"x\":{\"k\":{\"l\":\"no\"}},\"k\":{\"l\":\"a\"}}", "a")]
    [InlineData("{\"k\":{},\"l\":\"no\"}", null)]
    [InlineData("{\"k\":[{\"l\":\"no\"}]}", null)]
    [InlineData("{\"k\":\"text\"}", null)]
    [InlineData("{\"k\":{\"l\":null}}", null)]
    [InlineData("{\"k\":{\"l\":\"inner\"},\"k.l\":\"outer\"}", "outer")]
    [InlineData("[{\"k\":{\"l\":\"no\"}}]", null)]
    public void A_key_may_be_a_field_of_an_inner_object(string line, string? key) =>
        Assert.Equal(key, Open("x.jsonl", "{\"k\":{\"l\":\"first\"}}\n" + line, "k.l").Read().Last().Key);

    [Fact]
    public void Rows_end_with_any_line_end()
    {
        Assert.Equal(["{\"a\":\"1\",\"b\":\"2\"}", "{\"a\":\"3\",\"b\":\"4\"}"], Open("x.csv", "a,b\r1,2\r3,4\r", null).Read().Select(Text));
        Assert.Equal(["{\"a\":\"1\"}", "{\"a\":\"2\"}", "{\"a\":\"3\"}"], Open("x.csv", "\uFEFFa\r\n1\n2\r\r\n3", null).Read().Select(Text));
    }

    [Theory]
    [InlineData("x.ndjson", "{\"a\":1}\n{\"a\":2}\n")]
    [InlineData("x.json", "[{\"a\":1},{\"a\":2}]")]
    [InlineData("x.json", "\uFEFF [\r\n  {\"a\":1} ,\r\n  {\"a\":2}\r\n]\r\n")]
    [InlineData("X.JSONL", "{\"a\":1}\n{\"a\":2}\n")]
    public void Files_of_every_kind_are_read_plain_and_packed(string name, string content)
    {
        Assert.Equal(["{\"a\":1}", "{\"a\":2}"], Open(name, content, null).Read().Select(Text));

        var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionMode.Compress, leaveOpen: true))
        {
            gzip.Write(Encoding.UTF8.GetBytes(content));
        }

        Assert.Equal(["{\"a\":1}", "{\"a\":2}"], InputFile.Open(folder.Write($"{name}.gz", packed.ToArray()), null).Read().Select(Text));
    }

    [Fact]
    public void Elements_of_an_array_are_the_very_bytes_and_know_their_lines()
    {
        var large = new string('y', 200_000);
        var source = Open("x.json", $"[1,\n\"text\",\n\nnull, [ 2 ],\n{{ \"k\" : \"{large}\" }}\n]", null);

        Assert.Equal(
            [("1", 1L), ("\"text\"", 2), ("null", 4), ("[ 2 ]", 4), ($"{{ \"k\" : \"{large}\" }}", 5)],
            source.Read().Select(read => (Text(read), read.Line))
        );
        Assert.Equal(5, source.Count);
    }

    [Theory]
    [InlineData("x.json", "{\"a\":1}", "x.json:1: not a JSON array. A file with one value a line must end in .jsonl")]
    [InlineData("x.json", "", "x.json:1: not valid JSON at byte 1 of the line")]
    [InlineData("x.json", "[]", "x.json: contains no events")]
    [InlineData("x.json", "[1,\n2", "x.json:2: not valid JSON at byte 2 of the line")]
    [InlineData("x.json", "[1,\n2,]", "x.json:2: not valid JSON at byte 3 of the line")]
    [InlineData("x.json", "[1]\n[2]", "x.json:2: text follows the array")]
    [InlineData("x.jsonl.gz", "no gzip", "x.jsonl.gz: cannot be decompressed")]
    [InlineData("x.gz", "no gzip", "x.gz: unknown ending of a file, allowed .jsonl, .ndjson, .json, .csv, and each with .gz")]
    public void A_bad_array_or_packed_file_is_refused_in_one_line(string name, string content, string expected) =>
        Assert.Equal(expected, Assert.Single(Problems(name, Encoding.UTF8.GetBytes(content), null)));

    [Fact]
    public void The_limit_of_a_body_in_base64_is_that_of_its_bytes()
    {
        var largest = $"{{\"bodyBase64\":\"{Convert.ToBase64String(new byte[1_048_576])}\"}}";
        Assert.Equal(1_048_576, Assert.Single(Open("x.jsonl", largest, null).Read()).Body.Length);

        var larger = Encoding.UTF8.GetBytes($"{{}}\n{{\"bodyBase64\":\"{Convert.ToBase64String(new byte[1_048_577])}\"}}");
        Assert.Equal("x.jsonl:2: 1,048,577 bytes, limit 1,048,576", Assert.Single(Problems("x.jsonl", larger, null)));
    }

    [Fact]
    public void A_body_has_a_size_limit_in_every_kind_of_file()
    {
        var endless = new string('x', 9_000_000);
        Assert.Equal("x.jsonl:2: 9,000,002 bytes, limit 1,048,576", Assert.Single(Problems("x.jsonl", Encoding.UTF8.GetBytes($"{{}}\n\"{endless}\""), null)));
        Assert.Equal("x.csv:2: a row of more than 8,388,608 bytes", Assert.Single(Problems("x.csv", Encoding.UTF8.GetBytes($"a\n\"{endless}"), null)));
        Assert.Equal(
            "x.json:2: an element of more than 8,388,608 bytes",
            Assert.Single(Problems("x.json", Encoding.UTF8.GetBytes($"[1,\n\"{endless}{endless}\"]"), null))
        );
    }

    [Fact]
    public void Other_encodings_of_Unicode_are_refused()
    {
        foreach (var encoding in new[] { Encoding.Unicode, Encoding.BigEndianUnicode, Encoding.UTF32 })
        {
            Assert.Equal(
                "x.csv:1: not valid UTF-8, use JSON Lines with \"bodyBase64\"",
                Assert.Single(Problems("x.csv", [.. encoding.GetPreamble(), .. encoding.GetBytes("a\n1\n")], null))
            );
        }
    }

    [Fact]
    public void A_key_has_a_longest_length()
    {
        Assert.Equal(128, Open("x.jsonl", $"{{\"k\":\"{new string('x', 128)}\"}}", "k").Read().Single().Key!.Length);
        var content = Encoding.UTF8.GetBytes($"{{\"k\":\"{new string('x', 129)}\"}}");
        Assert.Equal("x.jsonl:1: 'k' has 129 characters, limit 128", Assert.Single(Problems("x.jsonl", content, "k")));
        Assert.Equal(
            "x.csv:2: 'k' has 129 characters, limit 128",
            Assert.Single(Problems("x.csv", Encoding.UTF8.GetBytes($"k\n{new string('x', 129)}\n"), "k"))
        );
    }

    [Fact]
    public void Bytes_that_are_not_text_are_refused()
    {
        Assert.Equal(
            "x.jsonl:2: not valid UTF-8, use JSON Lines with \"bodyBase64\"",
            Assert.Single(Problems("x.jsonl", [.. "{}\n\"\xFF\""u8[..4], 0xFF, (byte)'"'], null))
        );
        Assert.Equal("x.csv:2: not valid UTF-8, use JSON Lines with \"bodyBase64\"", Assert.Single(Problems("x.csv", [.. "a\n"u8, 0xFF], null)));
    }

    [Fact]
    public void A_line_may_be_as_large_as_an_event_and_no_larger()
    {
        var largest = $"\"{new string('x', 1_048_574)}\"";
        Assert.Equal(1_048_576, Assert.Single(Open("x.jsonl", largest + "\r\n", null).Read()).Body.Length);

        var content = Encoding.UTF8.GetBytes($"{{}}\n\"{new string('x', 1_203_998)}\"\n{{}}\n\"{new string('x', 1_048_575)}\"\n");
        Assert.Equal(["x.jsonl:2: 1,204,000 bytes, limit 1,048,576", "x.jsonl:4: 1,048,577 bytes, limit 1,048,576"], Problems("x.jsonl", content, null));
        Assert.Equal(
            "x.csv:2: 1,048,584 bytes, limit 1,048,576",
            Assert.Single(Problems("x.csv", Encoding.UTF8.GetBytes($"a\n{new string('x', 1_048_576)}\n"), null))
        );
    }

    [Fact]
    public void Nesting_has_a_limit()
    {
        Assert.Equal(1, Open("x.jsonl", new string('[', 64) + new string(']', 64), null).Count);
        var deeper = Encoding.UTF8.GetBytes(new string('[', 65) + new string(']', 65));
        Assert.Equal("x.jsonl:1: not valid JSON: nested deeper than 64", Assert.Single(Problems("x.jsonl", deeper, null)));
    }

    [Fact]
    public void The_first_twenty_problems_are_named_and_the_others_counted()
    {
        var problems = Problems("x.jsonl", Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat("{}\nnot json\n", 51))), null);

        Assert.Equal(21, problems.Count);
        Assert.StartsWith("x.jsonl:40: ", problems[19], StringComparison.Ordinal);
        Assert.Equal("and 31 more", problems[20]);
        Assert.All(problems, problem => Assert.DoesNotContain("not json", problem, StringComparison.Ordinal));
    }

    [Fact]
    public void A_missing_file_and_a_folder_are_refused()
    {
        var missing = folder.GetPath("missing.jsonl");
        Assert.Equal([$"{missing}: not found"], Assert.Throws<UsageException>(() => InputFile.Open(missing, null)).Problems);
        Assert.Equal([$"{folder.FullName}: is a folder"], Assert.Throws<UsageException>(() => InputFile.Open(folder.FullName, null)).Problems);
    }

    [Fact]
    public void A_file_that_changed_since_it_was_checked_ends_the_sending()
    {
        var source = Open("x.jsonl", "{}\n{}\n", null);
        folder.Write("x.jsonl", "{}\n{\n"u8);

        var failure = Assert.Throws<FailureException>(() => source.Read().Count());
        Assert.EndsWith("x.jsonl:2: was changed while it was sent", failure.Message, StringComparison.Ordinal);
    }

    private static string Text(SourceEvent read) => Encoding.UTF8.GetString(read.Body.Span);

    private IEventSource Open(string name, string content, string? keyField) => InputFile.Open(folder.Write(name, Encoding.UTF8.GetBytes(content)), keyField);

    private List<string> Problems(string name, ReadOnlySpan<byte> content, string? keyField)
    {
        var path = folder.Write(name, content);
        var failure = Assert.Throws<UsageException>(() => InputFile.Open(path, keyField));
        return [.. failure.Problems.Select(problem => problem.Replace(path, name, StringComparison.Ordinal))];
    }
}
