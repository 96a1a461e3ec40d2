using System.Diagnostics.CodeAnalysis;
using System.Text;
using EventHubThroughput.Settings;
using Spectre.Console;

namespace EventHubThroughput.CommandLine;

/// <summary>
/// A terminal on which Spectre.Console shows a view below all other output. Each change is sent in one piece. Lines are sent whole, above the view, and are
/// broken only between words. Safe for several threads, with one view at a time.
/// </summary>
/// <param name="terminal">The terminal.</param>
/// <param name="size">Its columns and rows, asked for at each drawing.</param>
/// <param name="colors">Its colours. None if <c>NO_COLOR</c> is set.</param>
public sealed class LiveConsole(TextWriter terminal, Func<(int Columns, int Rows)> size, ColorSystemSupport colors = ColorSystemSupport.Detect) : TextWriter
{
    // The least columns of a terminal whose lines are broken here.
    private const int LeastWrapped = 20;

    private const string HideCursor = "\u001b[?25l";
    private const string ShowCursor = "\u001b[?25h";
    private const string ClearAll = "\u001b[2J\u001b[3J\u001b[H";
    private const string EraseBelow = "\u001b[J";

    private readonly Lock gate = new();
    private readonly StringWriter drawn = new() { NewLine = "\n" };

    // While a view is shown: text without a line end yet, or text that was written while the view begins or ends.
    private StringBuilder? held;
    private IAnsiConsole? shown;
    private bool lineIsOpen;

    /// <inheritdoc/>
    public override Encoding Encoding => terminal.Encoding;

    /// <summary>The columns that a view may use. A line of the full width would wrap to the next line.</summary>
    public int Columns => Math.Max(1, size().Columns - 1);

    /// <summary>Shows a view until the task of <paramref name="drawing"/> has ended, then removes it.</summary>
    /// <param name="drawing">Draws frames by the action that it is given.</param>
    public async Task ShowAsync(Func<Action<LiveFrame>, Task> drawing)
    {
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings
            {
                Ansi = AnsiSupport.Yes,
                ColorSystem = colors,
                Interactive = InteractionSupport.Yes,
                Out = new Page(drawn, () => (Columns, Math.Max(1, size().Rows - 1))),
                Enrichment = new ProfileEnrichment { UseDefaultEnrichers = false },
            }
        );
        console.Profile.Capabilities.Unicode = true;
        var frame = new LiveFrame(null, "");
        var progress = console
            .Progress()
            .AutoRefresh(false)
            .AutoClear(true)
            .ExcludeVerticalPadding()
            .Columns(new ProgressBarColumn { Width = null }, new PercentageColumn(), new TaskDescriptionColumn())
            .UseRenderHook((bar, _) => new Rows([.. frame.Above, frame.Share is null ? LiveFrame.Row(frame.Text) : bar, .. frame.Below]));
        Begin();
        try
        {
            await progress.StartAsync(async context =>
            {
                var task = context.AddTask("starting", maxValue: 1);
                lock (gate)
                {
                    shown = console;
                }

                try
                {
                    await drawing(Draw);
                }
                finally
                {
                    lock (gate)
                    {
                        shown = null;
                    }
                }

                void Draw(LiveFrame next)
                {
                    lock (gate)
                    {
                        if (shown is not null)
                        {
                            frame = next;
                            task.Value = Math.Clamp(next.Share ?? 0, 0, 1);
                            task.Description = Markup.Escape(TerminalText.OneLine(next.Text));
                            context.Refresh();
                            Send();
                        }
                    }
                }
            });
        }
        finally
        {
            End();
        }
    }

    /// <inheritdoc/>
    public override void Write(string? value)
    {
        if (string.IsNullOrEmpty(value))
        {
            return;
        }

        var text = TerminalText.Of(value);
        lock (gate)
        {
            if (held is null)
            {
                lineIsOpen = text.Length > 0 ? text[^1] != '\n' : lineIsOpen;
                terminal.Write(text);
                terminal.Flush();
                return;
            }

            held.Append(text);
            SendLines(held);
        }
    }

    /// <inheritdoc/>
    public override void Write(char value) => Write(value.ToString());

    /// <inheritdoc/>
    public override void Write(char[] buffer, int index, int count) => Write(new string(buffer, index, count));

    /// <inheritdoc/>
    public override void WriteLine(string? value) => Write(IsTooLong(value) ? string.Join(NewLine, WrappedText.Of(value, Columns)) + NewLine : value + NewLine);

    /// <inheritdoc/>
    public override Task WriteAsync(string? value)
    {
        Write(value);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override Task WriteLineAsync(string? value)
    {
        WriteLine(value);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override void Flush() => terminal.Flush();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            drawn.Dispose();
        }

        base.Dispose(disposing);
    }

    // A terminal that does not know its width reports 0.
    private bool IsTooLong([NotNullWhen(true)] string? line) =>
        Columns >= LeastWrapped && line?.Length > Columns && !line.Contains('\n', StringComparison.Ordinal);

    private void Begin()
    {
        lock (gate)
        {
            held = new StringBuilder();
            if (lineIsOpen)
            {
                drawn.Write('\n');
                lineIsOpen = false;
            }
        }
    }

    // Called under the gate. Sent as a control code, because Spectre.Console would break a long text into lines.
    private void SendLines(StringBuilder text)
    {
        var whole = text.ToString();
        var end = whole.LastIndexOf('\n') + 1;
        if (shown is { } console && end > 0)
        {
            text.Remove(0, end);
            console.Write(new ControlCode(EraseBelow + whole[..end]));
            Send();
        }
    }

    private void End()
    {
        lock (gate)
        {
            drawn.Write(held);
            lineIsOpen = held is { Length: > 0 } rest && rest[^1] != '\n';
            held = null;
            Send();
        }
    }

    // Called under the gate. The cursor stays visible, because a killed process could not show it again. If the terminal became smaller, redrawing would damage
    // its scrollback, so the next frame is drawn below.
    private void Send()
    {
        var page = drawn.GetStringBuilder().Replace(HideCursor, "").Replace(ShowCursor, "").Replace(ClearAll, "\n");
        if (page.Length > 0)
        {
            terminal.Write(page.ToString());
            terminal.Flush();
            page.Clear();
        }
    }

    private sealed class Page(TextWriter drawn, Func<(int Columns, int Rows)> size) : IAnsiConsoleOutput
    {
        public TextWriter Writer => drawn;

        public bool IsTerminal => true;

        public int Width => size().Columns;

        public int Height => size().Rows;

        public void SetEncoding(Encoding encoding) { }
    }
}
