using EventHubThroughput.Telemetry.Logs;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Logging.Console;

namespace EventHubThroughput.CommandLine.Logs;

/// <summary>Creates the loggers of a program.</summary>
public static class ProgramLog
{
    /// <summary>The category of AMQP frames, which has a separate switch.</summary>
    public const string FramesCategory = "EventHubThroughput.Frames";

    /// <summary>Creates loggers that write to a program's error writer, one line an entry, in the order of the calls.</summary>
    /// <param name="choice">What to log.</param>
    /// <param name="program">The program, named in each line.</param>
    /// <param name="error">Where to write.</param>
    public static ILoggerFactory Create(LogChoice choice, string program, TextWriter error) =>
        choice.IsNothing ? NullLoggerFactory.Instance : CreateWriting(choice, program, error);

    private static LoggerFactory CreateWriting(LogChoice choice, string program, TextWriter error)
    {
        var filters = new LoggerFilterOptions { MinLevel = choice.Level };
        filters.Rules.Add(new LoggerFilterRule(null, FramesCategory, choice.Frames ? LogLevel.Trace : LogLevel.None, null));
        return new LoggerFactory(
            [new LineLoggerProvider(GetFormatter(choice.Json, program), line => error.WriteLine(LogLine.Of(line, program, choice.Json)))],
            filters
        );
    }

    // The provider of the library writes from a queue. Its lines would come later than those that a program prints itself, and a killed process would lose the
    // last ones. Its formatters are kept, because other tools can read them.
    private static ConsoleFormatter GetFormatter(bool json, string program)
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
