using System.Text;
using Markdig;
using Markdig.Extensions.Tables;
using Markdig.Syntax;
using Markdig.Syntax.Inlines;

namespace EventHubThroughput.Repository.Tests.Style;

/// <summary>The paragraphs, headings and table cells of a Markdown file. Code blocks are not prose.</summary>
internal static class MarkdownProse
{
    private static readonly MarkdownPipeline Pipeline = new MarkdownPipelineBuilder().UsePipeTables().UsePreciseSourceLocation().Build();

    /// <summary>The tables of a document, as rows of cells, without their headings.</summary>
    public static IEnumerable<IReadOnlyList<string[]>> GetTables(string markdown) =>
        Markdown
            .Parse(markdown, Pipeline)
            .Descendants<Table>()
            .Select(static table =>
                table
                    .OfType<TableRow>()
                    .Where(static row => !row.IsHeader)
                    .Select(static row =>
                        row.OfType<TableCell>().Select(static cell => GetText(cell.Descendants<ParagraphBlock>().FirstOrDefault()?.Inline)).ToArray()
                    )
                    .ToList()
            );

    /// <summary>The prose of a document. A generated part is data, and the sentences of the program that wrote it are checked in their source.</summary>
    public static IEnumerable<Prose> Read(string file, string markdown)
    {
        var generated = FindGenerated(markdown.Split('\n')).ToHashSet();
        return Markdown
            .Parse(markdown, Pipeline)
            .Descendants<LeafBlock>()
            .Where(block => block is (ParagraphBlock or HeadingBlock) && !generated.Contains(block.Line))
            .Select(block => new Prose(file, block.Line + 1, block.Parent is TableCell ? ProseKind.Cell : ProseKind.Paragraph, GetText(block.Inline)))
            .Where(static prose => prose.Text.Length > 0);
    }

    // The lines between those of a mark (docs/results/make).
    private static IEnumerable<int> FindGenerated(string[] lines)
    {
        var isInside = false;
        foreach (var (place, line) in lines.Index())
        {
            isInside =
                (isInside || (line.StartsWith("<!-- begin: ", StringComparison.Ordinal) && line.EndsWith("-->", StringComparison.Ordinal)))
                && line != "<!-- end -->";
            if (isInside)
            {
                yield return place;
            }
        }
    }

    private static string GetText(ContainerInline? inlines)
    {
        var text = new StringBuilder();
        foreach (var inline in inlines?.Descendants() ?? [])
        {
            text.Append(
                inline switch
                {
                    LiteralInline literal => literal.Content.ToString(),
                    CodeInline => Prose.Code,
                    LineBreakInline => " ",
                    HtmlEntityInline entity => entity.Transcoded.ToString(),
                    _ => "",
                }
            );
        }

        return text.ToString().Trim();
    }
}
