using System.Text;
using System.Xml.Linq;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>
/// Writes elements as HTML that is XML as well. Every text and every value of an attribute passes here and is encoded. There is no other way
/// into the file.
/// </summary>
internal static class HtmlText
{
    // Those that have no end. An HTML parser takes every other <x/> for a beginning.
    private static readonly HashSet<string> Void = new(["meta", "br", "hr", "col", "wbr"], StringComparer.Ordinal);

    /// <summary>A whole document.</summary>
    /// <exception cref="ArgumentException">A style sheet holds a sign that HTML and XML read differently there.</exception>
    public static string Of(XElement root)
    {
        var text = new StringBuilder("<!DOCTYPE html>\n");
        Append(text, root);
        return text.Append('\n').ToString();
    }

    /// <summary>A text without any sign that HTML or XML gives a meaning.</summary>
    public static string Encode(string text)
    {
        var encoded = new StringBuilder(text.Length);
        AppendEncoded(encoded, text);
        return encoded.ToString();
    }

    private static void Append(StringBuilder text, XElement element)
    {
        var name = element.Name.LocalName;
        text.Append('<').Append(name);
        foreach (var attribute in element.Attributes())
        {
            text.Append(' ').Append(attribute.Name.LocalName).Append("=\"");
            AppendEncoded(text, attribute.Value);
            text.Append('"');
        }

        if (Void.Contains(name))
        {
            text.Append(" />");
            return;
        }

        text.Append('>');
        foreach (var node in element.Nodes())
        {
            if (node is XElement child)
            {
                Append(text, child);
            }
            else if (node is XText content)
            {
                AppendContent(text, name, content.Value);
            }
        }

        text.Append("</").Append(name).Append('>');
        if (name is "p" or "tr" or "section" or "figure" or "details" or "div" or "li" or "table" or "style" or "meta" or "title")
        {
            text.Append('\n');
        }
    }

    private static void AppendContent(StringBuilder text, string element, string content)
    {
        if (element != "style")
        {
            AppendEncoded(text, content);
        }
        else if (content.IndexOfAny(['<', '>', '&']) >= 0)
        {
            throw new ArgumentException("a style sheet cannot be encoded", nameof(content));
        }
        else
        {
            text.Append(content);
        }
    }

    private static void AppendEncoded(StringBuilder text, string content)
    {
        foreach (var rune in content.EnumerateRunes())
        {
            // These characters would show the text around them in another order.
            if (rune.IsBmp && TerminalText.IsDirectional((char)rune.Value))
            {
                continue;
            }

            text.Append(
                rune.Value switch
                {
                    '&' => "&amp;",
                    '<' => "&lt;",
                    '>' => "&gt;",
                    '"' => "&quot;",
                    '\'' => "&#39;",
                    '\t' or '\n' => rune.ToString(),
                    // Neither HTML nor XML has these.
                    < ' ' or (>= 0x7F and < 0xA0) or 0xFFFE or 0xFFFF => "\uFFFD",
                    _ => rune.ToString(),
                }
            );
        }
    }
}
