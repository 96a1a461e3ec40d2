using System.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Telemetry.Logs;
using Microsoft.Extensions.Logging;
using Xunit;

namespace EventHubThroughput.CommandLine.Tests;

/// <summary>Options, or else variables, choose the log. A wrong value of either is a usage error.</summary>
public sealed class LogOptionsTests
{
    [Fact]
    public async Task Nothing_is_logged_unless_it_is_asked_for() => Assert.Equal(LogChoice.Nothing, await ReadAsync("", null));

    [Theory]
    [InlineData("none", LogLevel.None)]
    [InlineData("error", LogLevel.Error)]
    [InlineData("warning", LogLevel.Warning)]
    [InlineData("information", LogLevel.Information)]
    [InlineData("debug", LogLevel.Debug)]
    [InlineData("trace", LogLevel.Trace)]
    public async Task Each_level_has_its_name(string name, LogLevel level)
    {
        Assert.Equal(new LogChoice(level, Json: false, Frames: false), await ReadAsync($"--log-level {name}", null));
        Assert.Equal(new LogChoice(level, Json: false, Frames: false), await ReadAsync("", new() { ["EHT_LOG_LEVEL"] = name }));
    }

    [Fact]
    public async Task An_option_wins_over_its_variable()
    {
        Dictionary<string, string> variables = new()
        {
            ["EHT_LOG_LEVEL"] = "debug",
            ["EHT_LOG_FORMAT"] = "json",
            ["EHT_TRACE_FRAMES"] = "off",
        };
        Assert.Equal(new LogChoice(LogLevel.Debug, Json: true, Frames: false), await ReadAsync("", variables));
        Assert.Equal(
            new LogChoice(LogLevel.Error, Json: false, Frames: true),
            await ReadAsync("--log-level error --log-format text --trace-frames", variables)
        );
    }

    [Fact]
    public async Task The_log_options_are_passed_to_another_program_by_variables()
    {
        var choice = await ReadAsync("--log-level trace --log-format json --trace-frames", null);
        Assert.Equal(choice, await ReadAsync("", new(choice!.Variables)));
        Assert.Equal(LogChoice.Nothing, await ReadAsync("", new(LogChoice.Nothing.Variables)));
    }

    [Fact]
    public async Task A_blank_variable_is_not_set() => Assert.Equal(LogChoice.Nothing, await ReadAsync("", new() { ["EHT_LOG_LEVEL"] = " " }));

    [Theory]
    [InlineData("--log-level loud", null, "error: --log-level 'loud': unknown. Known: none, error, warning, information, debug, trace")]
    [InlineData("--log-level debgu", null, "error: --log-level 'debgu': unknown, did you mean 'debug'? Known: none, error, warning, information, debug, trace")]
    [InlineData("--log-format xml", null, "error: --log-format 'xml': unknown. Known: text, json")]
    [InlineData("--log-level", null, "error: --log-level: value missing")]
    [InlineData("", "EHT_LOG_LEVEL=loud", "error: EHT_LOG_LEVEL 'loud': unknown. Known: none, error, warning, information, debug, trace")]
    [InlineData("", "EHT_LOG_FORMAT=xml", "error: EHT_LOG_FORMAT 'xml': unknown. Known: text, json")]
    [InlineData("", "EHT_TRACE_FRAMES=maybe", "error: EHT_TRACE_FRAMES 'maybe': unknown. Known: on, off")]
    public async Task A_wrong_value_is_a_usage_error(string arguments, string? variable, string message)
    {
        var run = await RunAsync(arguments, variable is null ? null : new() { [variable.Split('=')[0]] = variable.Split('=')[1] }, static _ => { });
        Assert.Equal((2, "", message + "\n"), (run.ExitCode, run.Output, run.Error));
    }

    [Fact]
    public async Task A_variable_that_does_not_count_may_be_wrong() =>
        Assert.Equal(LogLevel.Error, (await ReadAsync("--log-level error", new() { ["EHT_LOG_LEVEL"] = "loud" }))?.Level);

    [Fact]
    public async Task Help_names_values_defaults_and_variables()
    {
        var help = (await RunAsync("--help", null, static _ => { })).Output;
        Assert.Contains("--log-level none|error|warning|information|debug|trace", help, StringComparison.Ordinal);
        Assert.Contains("default EHT_LOG_LEVEL, else none", help, StringComparison.Ordinal);
        Assert.Contains("--log-format text|json", help, StringComparison.Ordinal);
        Assert.Contains("--trace-frames", help, StringComparison.Ordinal);
        Assert.Contains("EHT_TRACE_FRAMES=on", help, StringComparison.Ordinal);
    }

    private static async Task<LogChoice?> ReadAsync(string arguments, Dictionary<string, string>? variables)
    {
        LogChoice? choice = null;
        var run = await RunAsync(arguments, variables, read => choice = read);
        Assert.Equal("", run.Error);
        return choice;
    }

    private static async Task<CommandRun> RunAsync(string arguments, Dictionary<string, string>? variables, Action<LogChoice> action)
    {
        await using var output = new StringWriter { NewLine = "\n" };
        await using var error = new StringWriter { NewLine = "\n" };
        var console = new CommandConsole(output, error, name => variables?.GetValueOrDefault(name));
        var root = new RootCommand("A sample.");
        var log = new LogOptions(console.Environment);
        log.AddTo(root);
        root.SetAction(result => action(log.Read(result)));
        var code = await CommandHost.RunAsync(
            root,
            arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries),
            console,
            TestContext.Current.CancellationToken
        );
        return new CommandRun(code, output.ToString(), error.ToString());
    }
}
