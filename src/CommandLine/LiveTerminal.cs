using System.Text;
using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

/// <summary>
/// A terminal whose last lines are a frame that is drawn again and again. Whatever else is written goes above it, so that no line of somebody
/// else, and no signal, leaves half a frame behind. Safe for several threads.
/// </summary>
/// <param name="terminal">The terminal.</param>
/// <param name="size">Its columns and rows, asked for at each drawing.</param>
public sealed class LiveTerminal(TextWriter terminal, Func<(int Columns, int Rows)> size) : TextWriter
{
    private readonly Lock gate = new();
    private IReadOnlyList<string> frame = [];
    private int drawn;

    // Of text that has not come to the end of its line.
    private bool lineIsOpen;

    /// <inheritdoc/>
    public override Encoding Encoding => terminal.Encoding;

    /// <summary>The columns that a frame may fill: a line as wide as the terminal would be continued on the next one.</summary>
    public int Columns => Math.Max(1, size().Columns - 1);

    /// <summary>Draws a frame in place of the one before; an empty one takes it away.</summary>
    public void Show(IReadOnlyList<string> lines)
    {
        lock (gate)
        {
            frame = [.. lines.Select(TerminalText.OneLine)];
            Put("");
        }
    }

    /// <inheritdoc/>
    public override void Write(string? value)
    {
        if (!string.IsNullOrEmpty(value))
        {
            lock (gate)
            {
                lineIsOpen = value[^1] != '\n';
                Put(TerminalText.Of(value));
            }
        }
    }

    /// <inheritdoc/>
    public override void Write(char value) => Write(value.ToString());

    /// <inheritdoc/>
    public override void Write(char[] buffer, int index, int count) => Write(new string(buffer, index, count));

    /// <inheritdoc/>
    public override void WriteLine(string? value) => Write(value + NewLine);

    /// <inheritdoc/>
    public override Task WriteLineAsync(string? value)
    {
        WriteLine(value);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override void Flush() => terminal.Flush();

    // In one piece: a terminal that is read in between shows the one frame or the other.
    private void Put(string text)
    {
        var piece = new StringBuilder();
        if (drawn > 0)
        {
            piece.Append($"\r\u001b[{drawn}A\u001b[J");
        }

        piece.Append(text);
        drawn = lineIsOpen ? 0 : Draw(piece);
        if (piece.Length > 0)
        {
            terminal.Write(piece.ToString());
            terminal.Flush();
        }
    }

    private int Draw(StringBuilder piece)
    {
        var columns = Columns;
        var shown = frame.Take(Math.Max(1, size().Rows - 1)).ToList();
        foreach (var line in shown)
        {
            piece.Append(line.Length > columns ? line[..columns] : line).Append('\n');
        }

        return shown.Count;
    }
}
