using System.Globalization;
using System.Text.RegularExpressions;

namespace EventHubThroughput.Testing;

/// <summary>What a terminal of unlimited size shows of what was sent to it.</summary>
public static class TerminalScreen
{
    private const string Token = @"\x1b\[(?<count>\d*)(?<control>[A-Za-z])|\r|\n|[^\x1b\r\n]+";

    /// <summary>The lines from the top, without blanks at their ends.</summary>
    public static List<string> GetLines(string sent)
    {
        List<string> lines = [""];
        var (row, column) = (0, 0);
        foreach (Match token in Regex.Matches(sent, Token, RegexOptions.None, TimeSpan.FromSeconds(10)))
        {
            var count = int.TryParse(token.Groups["count"].Value, NumberStyles.None, CultureInfo.InvariantCulture, out var known) ? known : 0;
            switch (token.Groups["control"].Value)
            {
                case "A":
                    row -= Math.Max(1, count);
                    break;
                case "J":
                    lines.RemoveRange(row + 1, lines.Count - row - 1);
                    lines[row] = lines[row][..Math.Min(column, lines[row].Length)];
                    break;
                case "K":
                    lines[row] = count == 2 ? "" : lines[row][..Math.Min(column, lines[row].Length)];
                    break;
                case "" when token.Value == "\r":
                    column = 0;
                    break;
                case "" when token.Value == "\n":
                    (row, column) = (row + 1, 0);
                    lines.AddRange(row == lines.Count ? [""] : []);
                    break;
                case "":
                    var line = lines[row].PadRight(column + token.Length);
                    lines[row] = line[..column] + token.Value + line[(column + token.Length)..];
                    column += token.Length;
                    break;
                default:
                    // Colours.
                    break;
            }
        }

        // Only blanks below the cursor count as nothing.
        while (lines.Count > row + 1 && string.IsNullOrWhiteSpace(lines[^1]))
        {
            lines.RemoveAt(lines.Count - 1);
        }

        return [.. lines.Select(static line => line.TrimEnd())];
    }
}
