using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.CommandLine.Tests;

/// <summary>No text of a file or a peer controls the terminal on which it is shown.</summary>
public sealed class TerminalTextTests
{
    [Theory]
    [InlineData("\u001b]0;title\u0007", "\\u001b]0;title\\u0007")]
    [InlineData("a\u009bb\u007fc\0", "a\\u009bb\\u007fc\\u0000")]
    [InlineData("over\rwritten", "over\\u000dwritten")]
    [InlineData("one\ttwo\r\nthree\n", "one\ttwo\r\nthree\n")]
    [InlineData("\u202Eevil\u202C \u2066x\u2069 \u200E\u200F\u061C", "evil x ")]
    [InlineData("café 日本 😀", "café 日本 😀")]
    public void The_output_of_a_program_has_no_control_character_and_no_directional_mark(string text, string expected)
    {
        using var output = new StringWriter { NewLine = "\n" };
        using var error = new StringWriter { NewLine = "\n" };
        var console = new CommandConsole(output, error, static _ => null);

        console.Output.Write(text);
        console.Error.WriteLine(text);
        console.Error.Write(text.ToCharArray());
        console.Error.WriteLine();
        foreach (var letter in text)
        {
            console.Output.Write(letter);
        }

        Assert.StartsWith(expected, output.ToString(), StringComparison.Ordinal);
        Assert.Equal($"{expected}\n{expected}\n", error.ToString());
        Assert.DoesNotContain('\u001b', output.ToString());
    }

    [Fact]
    public async Task Text_on_a_live_console_has_no_control_characters_either()
    {
        using var sent = new StringWriter { NewLine = "\n" };
        using var terminal = new LiveConsole(sent, static () => (80, 20)) { NewLine = "\n" };

        await terminal.ShowAsync(async draw =>
        {
            draw(new LiveFrame(null, "two\nlines") { Above = [LiveFrame.Row("a \u001b[31mlabel\u202E")] });
            await terminal.WriteLineAsync("said \u0007");
        });

        Assert.Contains("a \\u001b[31mlabel\ntwo\\u000alines", sent.ToString(), StringComparison.Ordinal);
        Assert.Contains("said \\u0007\n", sent.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain('\u0007', sent.ToString());
    }

    [Fact]
    public void Within_a_line_there_is_no_line_end() => Assert.Equal("a\\u000aerror: forged\\u2028", TerminalText.OneLine("a\nerror: forged\u2028"));

    [Theory]
    [InlineData("--degree 123456789012345678901234567890", "error: --degree 12345678901234567...: out of range, allowed 1 to 4096")]
    [InlineData("--degree 1.123456789012345678901234567890", "error: --degree '1.123456789012345...': not a whole number, allowed 1 to 4096")]
    [InlineData("--skew 10000000000000000000000000", "error: --skew 10000000000000000...: out of range, allowed 0 to 10")]
    [InlineData("--rate 100000000000000000000000000/s", "error: --rate 10000000000000000...: out of range, allowed 0.001/s to 1000000/s")]
    [InlineData("--drain-limit 1000000000000000000000h", "error: --drain-limit 10000000000000000...: out of range, allowed 1s to 1h")]
    public async Task A_number_is_echoed_in_at_most_20_characters(string arguments, string expected)
    {
        var run = await CommandRun.OfSampleAsync(arguments.Split(' '));

        Assert.Equal((2, expected + "\n"), (run.ExitCode, run.Error));
    }
}
