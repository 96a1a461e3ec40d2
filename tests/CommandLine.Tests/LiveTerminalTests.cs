using System.Text.RegularExpressions;
using Xunit;

namespace EventHubThroughput.CommandLine.Tests;

public sealed class LiveTerminalTests : IDisposable
{
    private readonly StringWriter sent = new() { NewLine = "\n" };
    private (int Columns, int Rows) size = (20, 10);
    private readonly LiveTerminal terminal;

    public LiveTerminalTests() => terminal = new LiveTerminal(sent, () => size) { NewLine = "\n" };

    [Fact]
    public void A_frame_takes_the_place_of_the_one_before()
    {
        terminal.Show(["one", "two"]);
        terminal.Show(["three"]);

        Assert.Equal(["three"], Screen());
    }

    [Fact]
    public void What_is_written_stands_above_the_frame()
    {
        terminal.Show(["[###   ]", "rate"]);
        terminal.WriteLine("SIGINT: draining");
        terminal.Write("half ");
        terminal.Show(["not in the midst of a line"]);
        terminal.WriteLine("a line");

        Assert.Equal(["SIGINT: draining", "half a line", "not in the midst of"], Screen());
    }

    [Fact]
    public async Task Nothing_is_left_of_a_frame_that_was_taken_away()
    {
        terminal.Show(["[###   ]", "rate"]);
        await terminal.WriteLineAsync("said");
        terminal.Show([]);
        await terminal.WriteLineAsync();

        Assert.Equal(["said", ""], Screen());
    }

    [Fact]
    public void A_frame_never_needs_more_than_the_terminal_has()
    {
        size = (5, 3);
        terminal.Show(["123456789", "2", "3", "4"]);

        Assert.Equal(["1234", "2"], Screen());
    }

    [Fact]
    public void Each_change_is_sent_in_one_piece()
    {
        using var pieces = new Pieces();
        using var whole = new LiveTerminal(pieces, () => size) { NewLine = "\n" };
        whole.Show(["a", "b"]);
        whole.WriteLine("said");

        Assert.Equal(["a\nb\n", "\r\u001b[2A\u001b[Jsaid\na\nb\n"], pieces.All);
    }

    public void Dispose()
    {
        terminal.Dispose();
        sent.Dispose();
    }

    // What a terminal of unlimited height shows of it.
    private List<string> Screen()
    {
        List<string> lines = [""];
        foreach (Match token in Regex.Matches(sent.ToString(), @"\r\x1b\[(?<up>\d+)A\x1b\[J|\n|[^\x1b\r\n]+", RegexOptions.None, TimeSpan.FromSeconds(10)))
        {
            if (token.Groups["up"] is { Success: true } up)
            {
                var kept = lines.Count - 1 - int.Parse(up.Value, System.Globalization.CultureInfo.InvariantCulture);
                lines.RemoveRange(kept, lines.Count - kept);
                lines.Add("");
            }
            else if (token.Value == "\n")
            {
                lines.Add("");
            }
            else
            {
                lines[^1] += token.Value;
            }
        }

        return lines[..^1];
    }

    private sealed class Pieces : StringWriter
    {
        public List<string> All { get; } = [];

        public override void Write(string? value) => All.Add(value!);
    }
}
