using EventHubThroughput.Telemetry.Logs;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Logging.Console;

namespace EventHubThroughput.CommandLine.Logs;

/// <summary>Makes the loggers of a program.</summary>
public static class ProgramLog
{
    /// <summary>The category of AMQP frames, which has a switch of its own.</summary>
    public const string FramesCategory = "EventHubThroughput.Frames";

    /// <summary>Makes loggers that write to a program's error writer: one line an entry, in the order in which they are logged.</summary>
    /// <param name="choice">What to log.</param>
    /// <param name="program">The program, which each line names.</param>
    /// <param name="error">Where to write.</param>
    public static ILoggerFactory Create(LogChoice choice, string program, TextWriter error) =>
        choice.IsNothing ? NullLoggerFactory.Instance : CreateWriting(choice, program, error);

    private static LoggerFactory CreateWriting(LogChoice choice, string program, TextWriter error)
    {
        var filters = new LoggerFilterOptions { MinLevel = choice.Level };
        filters.Rules.Add(new LoggerFilterRule(null, FramesCategory, choice.Frames ? LogLevel.Trace : LogLevel.None, null));
        return new LoggerFactory(
            [new LineLoggerProvider(FormatterOf(choice.Json, program), line => error.WriteLine(LogLine.Of(line, program, choice.Json)))],
            filters
        );
    }

    // The library's own provider would write from a queue, behind the lines that a program says by itself, and lose the last ones of a
    // process that is killed. Its formatters are what others know how to read.
    private static ConsoleFormatter FormatterOf(bool json, string program)
    {
        using var services = new ServiceCollection()
            .AddLogging(logging =>
                logging
                    .AddJsonConsole(options =>
                    {
                        options.TimestampFormat = LogLine.TimeFormat;
                        options.UseUtcTimestamp = true;
                    })
                    .AddSimpleConsole(options =>
                    {
                        options.TimestampFormat = $"{LogLine.TimeFormat} '{program}' ";
                        options.UseUtcTimestamp = true;
                        options.SingleLine = true;
                        options.ColorBehavior = LoggerColorBehavior.Disabled;
                    })
            )
            .BuildServiceProvider();
        var name = json ? ConsoleFormatterNames.Json : ConsoleFormatterNames.Simple;
        return services.GetServices<ConsoleFormatter>().Single(formatter => formatter.Name == name);
    }
}
