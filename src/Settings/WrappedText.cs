namespace EventHubThroughput.Settings;

/// <summary>Text for a terminal, broken only between words.</summary>
public static class WrappedText
{
    /// <summary>The lines of a text. Those after the first are indented.</summary>
    /// <param name="text">The text. The indent before its first word stays there.</param>
    /// <param name="width">The most characters of a line. A longer word has a separate line.</param>
    /// <param name="indent">In front of the lines after the first.</param>
    public static IEnumerable<string> Of(string text, int width, string indent = "  ")
    {
        var line = "";
        var isEmpty = true;
        foreach (var word in TerminalText.OneLine(text).Split(' '))
        {
            if (!isEmpty && line.Length + 1 + word.Length > width)
            {
                yield return line.TrimEnd();
                line = indent + word;
            }
            else
            {
                line = isEmpty ? word : $"{line} {word}";
            }

            isEmpty = false;
        }

        yield return line;
    }
}
