using System.Buffers;
using System.Globalization;
using System.Text;

namespace EventHubThroughput.Settings;

/// <summary>
/// Text of files and of peers in a form that is safe for a terminal. A control character is written as its escape, so that no text moves the cursor, sets a
/// title or clears the screen. Directional marks are left out, because they show a text in another order than its own.
/// </summary>
public static class TerminalText
{
    // Arabic letter mark, marks, embeddings and overrides, isolates (Unicode Standard Annex 9, table 1).
    private const string Marks = "\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069";

    private static readonly SearchValues<char> Directional = SearchValues.Create(Marks);

    private static readonly SearchValues<char> Unsafe = SearchValues.Create(
        Marks + string.Concat(Enumerable.Range(0, 0xA0).Select(static code => (char)code).Where(char.IsControl)) + "\u2028\u2029"
    );

    /// <summary>Whether a character changes the direction of the text around it.</summary>
    public static bool IsDirectional(char letter) => Directional.Contains(letter);

    /// <summary>A text of several lines: tabs and line ends stay.</summary>
    public static string Of(string text) => text.AsSpan().ContainsAny(Unsafe) ? Escaped(text, isOneLine: false) : text;

    /// <summary>A text within a line: its line ends are escaped as well, so that it cannot look like a line of the program.</summary>
    public static string OneLine(string text) => text.AsSpan().ContainsAny(Unsafe) ? Escaped(text, isOneLine: true) : text;

    private static string Escaped(string text, bool isOneLine)
    {
        var escaped = new StringBuilder(text.Length + 16);
        for (var place = 0; place < text.Length; place++)
        {
            var letter = text[place];
            if (Directional.Contains(letter))
            {
                continue;
            }

            var isEnd = letter == '\n' || (letter == '\r' && place + 1 < text.Length && text[place + 1] == '\n');
            if (letter == '\t' || (isEnd && !isOneLine) || !Unsafe.Contains(letter))
            {
                escaped.Append(letter);
            }
            else
            {
                escaped.Append(CultureInfo.InvariantCulture, $"\\u{(int)letter:x4}");
            }
        }

        return escaped.ToString();
    }
}
