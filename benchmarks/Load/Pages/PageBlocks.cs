using System.Text;

namespace EventHubThroughput.Load.Pages;

/// <summary>
/// The generated parts of a page: the text between <c>&lt;!-- begin: FILE [VIEW] --&gt;</c> and <c>&lt;!-- end --&gt;</c>. FILE is a data file, from the folder
/// of the page. A part of several lines is a block, one within a line is a figure.
/// </summary>
internal static class PageBlocks
{
    private const string Begin = "<!-- begin: ";
    private const string Close = " -->";
    private const string End = "<!-- end -->";

    /// <summary>The parts with their file and view, in the order of the page.</summary>
    public static IReadOnlyList<PageBlock> Find(string page)
    {
        List<PageBlock> blocks = [];
        Render(
            page,
            block =>
            {
                blocks.Add(block);
                return null;
            }
        );
        return blocks;
    }

    /// <summary>The page without its generated parts.</summary>
    public static string Remove(string page) => Replace(page, static _ => "", keepsMarks: false);

    /// <summary>The page with each part rendered again.</summary>
    /// <param name="page">The page.</param>
    /// <param name="render">Renders a part. Null leaves it as it is.</param>
    public static string Render(string page, Func<PageBlock, string?> render) => Replace(page, render, keepsMarks: true);

    private static string Replace(string page, Func<PageBlock, string?> render, bool keepsMarks)
    {
        var text = new StringBuilder();
        var place = 0;
        while (page.IndexOf(Begin, place, StringComparison.Ordinal) is >= 0 and var begin)
        {
            var close = page.IndexOf(Close, begin, StringComparison.Ordinal);
            var end = close < 0 ? -1 : page.IndexOf(End, close, StringComparison.Ordinal);
            if (end < 0)
            {
                break;
            }

            var name = page[(begin + Begin.Length)..close].Split(' ', 2);
            var from = close + Close.Length;
            var block = new PageBlock(name[0], name.ElementAtOrDefault(1) ?? "", page[from..end]);
            text.Append(page, place, (keepsMarks ? from : begin) - place);
            text.Append(
                render(block) is not { } rendered ? block.Text
                : block.IsInline || !keepsMarks ? rendered
                : $"\n{rendered}\n"
            );
            text.Append(keepsMarks ? End : "");
            place = end + End.Length;
        }

        return text.Append(page, place, page.Length - place).ToString();
    }
}

/// <summary>A generated part of a page.</summary>
/// <param name="File">Its data, from the folder of the page.</param>
/// <param name="View">The part of the data that is shown. Empty for all of it.</param>
/// <param name="Text">The text that is there.</param>
internal sealed record PageBlock(string File, string View, string Text)
{
    /// <summary>Whether it is a figure within a line.</summary>
    public bool IsInline => !Text.Contains('\n', StringComparison.Ordinal);
}
