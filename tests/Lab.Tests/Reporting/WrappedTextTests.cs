using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Settings;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

public sealed class WrappedTextTests
{
    [Fact]
    public void Text_breaks_between_words_and_continues_with_an_indent() =>
        Assert.Equal(["strategy    outloop,", "    degree 16, batch", "    10"], WrappedText.Of("strategy    outloop, degree 16, batch 10", 20, "    "));

    [Fact]
    public void A_longer_word_gets_a_separate_line() => Assert.Equal(["a", "  verylongword", "  b"], WrappedText.Of("a verylongword b", 6));

    [Fact]
    public void Every_word_is_there_once_and_no_line_of_several_is_too_long() =>
        Prop.ForAll(
                Gen.Choose(1, 14).Select(static length => new string('x', length)).ArrayOf(30).ToArbitrary(),
                static words =>
                {
                    var lines = WrappedText.Of(string.Join(' ', words), 20).ToList();
                    return string.Join(' ', lines.Select(static line => line.TrimStart())) == string.Join(' ', words)
                        && lines.TrueForAll(static line => line.Length <= 20);
                }
            )
            .Check(PropertyCases.Usual);

    [Theory]
    [InlineData("outloop")]
    [InlineData("pipelined")]
    public void A_summary_is_never_broken_within_a_word(string strategy)
    {
        using var whole = new StringWriter();
        using var narrow = new StringWriter();
        SummaryText.Write(Reports.Of(strategy), whole);
        SummaryText.Write(Reports.Of(strategy), narrow, columns: 80);

        Assert.Equal(GetWords(whole), GetWords(narrow));
        Assert.All(narrow.ToString().Split(Environment.NewLine), static line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void A_summary_in_a_pipe_has_a_line_for_each_entry()
    {
        using var whole = new StringWriter();
        using var piped = new StringWriter();
        SummaryText.Write(Reports.Of("outloop"), whole);
        SummaryText.Write(Reports.Of("outloop"), piped, columns: null);

        Assert.Equal(whole.ToString(), piped.ToString());
    }

    private static string[] GetWords(StringWriter text) => text.ToString().Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
}
