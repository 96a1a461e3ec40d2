using System.Text;
using System.Text.RegularExpressions;

namespace EventHubThroughput.Load.Pages;

/// <summary>
/// The generated parts of a page: the text between <c>&lt;!-- begin: FILE [VIEW] --&gt;</c> and <c>&lt;!-- end --&gt;</c>. FILE is a data file, from the folder
/// of the page. A part of several lines is a block, one within a line is a figure.
/// </summary>
internal static partial class PageBlocks
{
    /// <summary>The parts with their file and view, in the order of the page.</summary>
    public static IReadOnlyList<PageBlock> Find(string page) =>
        [.. Pattern().Matches(page).Select(static match => new PageBlock(match.Groups["file"].Value, match.Groups["view"].Value, match.Groups["text"].Value))];

    /// <summary>The page with each part rendered again.</summary>
    /// <param name="page">The page.</param>
    /// <param name="render">Renders a part. Null leaves it as it is.</param>
    public static string Render(string page, Func<PageBlock, string?> render)
    {
        var text = new StringBuilder();
        var from = 0;

        // Rendering is not within the time limit of the pattern.
        foreach (var match in Pattern().Matches(page).ToList())
        {
            var part = match.Groups["text"];
            var block = new PageBlock(match.Groups["file"].Value, match.Groups["view"].Value, part.Value);
            if (render(block) is { } rendered)
            {
                text.Append(page, from, part.Index - from).Append(block.IsInline ? rendered : $"\n{rendered}\n");
                from = part.Index + part.Length;
            }
        }

        return text.Append(page, from, page.Length - from).ToString();
    }

    [GeneratedRegex(
        @"<!-- begin: (?<file>\S+)(?: (?<view>[^\n]*?))? -->(?<text>.*?)<!-- end -->",
        RegexOptions.Singleline | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 10_000
    )]
    private static partial Regex Pattern();
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
