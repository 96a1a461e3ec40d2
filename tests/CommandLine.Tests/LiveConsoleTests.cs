using EventHubThroughput.Testing;
using Spectre.Console;
using Xunit;

namespace EventHubThroughput.CommandLine.Tests;

public sealed class LiveConsoleTests : IDisposable
{
    private readonly Pieces sent = new() { NewLine = "\n" };
    private (int Columns, int Rows) size = (41, 11);
    private readonly LiveConsole terminal;

    // When a drawing asks for the size.
    private Action? whenAsked;

    public LiveConsoleTests() =>
        terminal = new LiveConsole(
            sent,
            () =>
            {
                whenAsked?.Invoke();
                return size;
            },
            ColorSystemSupport.NoColors
        )
        {
            NewLine = "\n",
        };

    [Fact]
    public async Task A_frame_takes_the_place_of_the_one_before()
    {
        await ShowAsync(draw =>
        {
            draw(new LiveFrame(0.25, "one") { Below = [LiveFrame.Row("rate")] });
            draw(new LiveFrame(0.5, "two"));
            Assert.Equal(["━━━━━━━━━━━━━━━                  50% two", ""], Screen());
        });

        Assert.Equal([""], Screen());
    }

    [Fact]
    public async Task A_line_that_is_longer_than_the_terminal_is_broken_between_words()
    {
        const string line = "embedded run: it starts its own emulator (profile article) and sends 600 events";
        string[] broken = ["embedded run: it starts its own emulator", "  (profile article) and sends 600 events"];
        await terminal.WriteLineAsync(line);
        Assert.Equal([.. broken, ""], Screen());
        await ShowAsync(draw =>
        {
            draw(new LiveFrame(null, "working"));
            terminal.WriteLine(line);
            Assert.Equal([.. broken, .. broken, "working"], Screen());
        });
    }

    [Fact]
    public async Task A_terminal_of_unknown_width_gets_lines_as_they_are()
    {
        size = (0, 0);
        await terminal.WriteLineAsync("one line of several words");
        Assert.Equal(["one line of several words", ""], Screen());
    }

    [Fact]
    public async Task Lines_are_shown_whole_above_the_frame_and_text_waits_for_its_end()
    {
        var line = new string('x', 100);
        await ShowAsync(draw =>
        {
            draw(new LiveFrame(null, "working"));
            terminal.WriteLine(line);
            terminal.Write("half ");
            draw(new LiveFrame(null, "working"));
            Assert.Equal([line, "working"], Screen());
            terminal.WriteLine("a line");
            Assert.Equal([line, "half a line", "working"], Screen());
            terminal.Write("the rest");
        });

        Assert.Equal([line, "half a line", "the rest"], Screen());
    }

    [Fact]
    public async Task A_line_that_is_written_while_the_view_is_taken_away_is_kept()
    {
        var said = 0;
        await ShowAsync(draw =>
        {
            draw(new LiveFrame(null, "working") { Below = [LiveFrame.Row("rate")] });
            whenAsked = Say;
        });

        Assert.Equal([.. Enumerable.Repeat("late", said), ""], Screen());

        void Say()
        {
            whenAsked = null;
            terminal.WriteLine("late");
            said++;
            whenAsked = Say;
        }
    }

    [Fact]
    public async Task A_view_begins_below_a_line_that_is_open()
    {
        await terminal.WriteAsync("open");

        await ShowAsync(draw =>
        {
            draw(new LiveFrame(null, "working"));
            draw(new LiveFrame(null, "working"));
        });

        Assert.Equal(["open", ""], Screen());
    }

    [Fact]
    public async Task A_frame_is_taken_away_when_its_drawing_fails_and_a_later_view_is_shown()
    {
        await Assert.ThrowsAsync<InvalidOperationException>(() =>
            ShowAsync(draw =>
            {
                draw(new LiveFrame(null, "working"));
                throw new InvalidOperationException();
            })
        );
        await terminal.WriteLineAsync("said");
        await ShowAsync(draw =>
        {
            draw(new LiveFrame(null, "again"));
            Assert.Equal(["said", "again"], Screen());
        });

        Assert.Equal(["said", ""], Screen());
    }

    [Fact]
    public async Task A_frame_never_needs_more_than_the_terminal_has()
    {
        size = (6, 3);
        await ShowAsync(draw =>
        {
            draw(new LiveFrame(null, "123456789") { Below = [LiveFrame.Row("2"), LiveFrame.Row("3")] });
            Assert.All(Screen(), static line => Assert.InRange(line.Length, 0, 5));
            Assert.InRange(Screen().Count, 1, 2);
        });
    }

    [Fact]
    public async Task A_row_is_one_line_however_long_its_text() =>
        await ShowAsync(draw =>
        {
            draw(new LiveFrame(null, "working") { Below = [LiveFrame.Row(string.Join(' ', Enumerable.Repeat("word", 20)))] });
            Assert.Equal(["working", "word word word word word word word word…"], Screen());
        });

    [Fact]
    public async Task The_cursor_is_never_hidden_and_a_smaller_terminal_keeps_its_lines()
    {
        await ShowAsync(draw =>
        {
            terminal.WriteLine("said");
            draw(new LiveFrame(0.5, "one"));
            size = (21, 11);
            draw(new LiveFrame(0.5, "one"));
        });

        Assert.DoesNotContain("\u001b[?25", sent.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("\u001b[2J", sent.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("\u001b[3J", sent.ToString(), StringComparison.Ordinal);
        Assert.Equal("said", Screen()[0]);
    }

    [Fact]
    public async Task Each_change_is_sent_in_one_piece() =>
        await ShowAsync(draw =>
        {
            draw(new LiveFrame(null, "a") { Below = [LiveFrame.Row("b")] });
            draw(new LiveFrame(null, "a") { Below = [LiveFrame.Row("b")] });
            terminal.WriteLine("said");

            Assert.Equal(["a\nb", "\r\u001b[1Aa\nb", "\r\u001b[1A\u001b[Jsaid\na\nb"], sent.All);
        });

    [Fact]
    public async Task Text_of_a_frame_is_data()
    {
        await ShowAsync(draw =>
        {
            draw(new LiveFrame(0, "[red]x[/]") { Above = [LiveFrame.Row("[bold]a\u001b[31m")] });
        });

        Assert.Contains("[bold]a\\u001b[31m", sent.ToString(), StringComparison.Ordinal);
        Assert.Contains("[red]x[/]", sent.ToString(), StringComparison.Ordinal);
    }

    public void Dispose()
    {
        terminal.Dispose();
        sent.Dispose();
    }

    private Task ShowAsync(Action<Action<LiveFrame>> drawing) =>
        terminal.ShowAsync(draw =>
        {
            drawing(draw);
            return Task.CompletedTask;
        });

    private List<string> Screen() => TerminalScreen.GetLines(sent.ToString());

    private sealed class Pieces : StringWriter
    {
        public List<string> All { get; } = [];

        public override void Write(string? value)
        {
            All.Add(value!);
            base.Write(value);
        }
    }
}
