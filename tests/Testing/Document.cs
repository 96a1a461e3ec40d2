using System.Text.RegularExpressions;

namespace EventHubThroughput.Testing;

/// <summary>A document of the repository, read for what a test asks.</summary>
public static partial class Document
{
    /// <summary>The text with each run of white space, line ends included, as one blank: line breaks have no meaning.</summary>
    public static string Flowing(params string[] path) => WhiteSpace().Replace(Read(path), " ");

    public static string Read(params string[] path) => File.ReadAllText(RepositoryFiles.GetPath(path)).ReplaceLineEndings("\n");

    /// <summary>The cells of every table row whose first cell matches, without that cell.</summary>
    public static IReadOnlyList<string[]> Rows(string text, string firstCell) =>
        [
            .. text.Split('\n')
                .Where(line => line.StartsWith('|') && line.Trim(' ', '|').Length > 0)
                .Select(line => line.TrimEnd(' ', '|')[1..].Split('|').Select(cell => cell.Trim().Trim('*').Trim('`')).ToArray())
                .Where(cells => Regex.IsMatch(cells[0], $"^(?:{firstCell})$", RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(1)))
                .Select(cells => cells[1..]),
        ];

    [GeneratedRegex(@"\s+", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex WhiteSpace();
}
