using System.Xml.Linq;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Comparing.Reports;

public sealed class HtmlTextTests
{
    [Fact]
    public void Encodes_texts_and_attributes() =>
        Assert.Equal(
            "<!DOCTYPE html>\n<p title=\"&quot;&#39;&lt;\">&lt;script&gt;a &amp; b&lt;/script&gt;</p>\n\n",
            HtmlText.Of(new XElement("p", new XAttribute("title", "\"'<"), "<script>a & b</script>"))
        );

    [Fact]
    public void Leaves_directional_marks_out() => Assert.Equal("gnp.exe \uFFFD", HtmlText.Encode("\u202Egnp\u202C.\u2066exe\u2069\u200E\u200F\u061C \u001b"));

    [Fact]
    public void Ends_every_element_that_has_an_end() =>
        Assert.Equal("<!DOCTYPE html>\n<b><td></td><br /></b>\n", HtmlText.Of(new XElement("b", new XElement("td"), new XElement("br"))));

    [Fact]
    public void Refuses_a_style_sheet_that_could_end_itself() =>
        Assert.Throws<ArgumentException>(static () => HtmlText.Of(new XElement("style", "</style><script>")));

    [Fact]
    public void Any_text_is_read_as_it_was_or_without_what_XML_cannot_hold()
    {
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll<string?>(static given =>
            {
                var text = given ?? "";
                var read = XDocument.Parse(HtmlText.Of(new XElement("b", new XAttribute("title", text), text)), LoadOptions.PreserveWhitespace).Root!;
                Assert.Equal(Legal(text), read.Value);
                Assert.Equal(Legal(text).Replace('\n', ' ').Replace('\t', ' '), (string)read.Attribute("title")!);
            })
        );
    }

    private static string Legal(string text) =>
        string.Concat(
            text.EnumerateRunes()
                .Where(static rune => rune.Value is not (0x61C or 0x200E or 0x200F or (>= 0x202A and <= 0x202E) or (>= 0x2066 and <= 0x2069)))
                .Select(static rune => rune.Value is < ' ' and not ('\t' or '\n') or (>= 0x7F and < 0xA0) or 0xFFFE or 0xFFFF ? "\uFFFD" : rune.ToString())
        );
}
