using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry.Logs;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.CommandLine.Logs;

/// <summary>The options of the log, the same for every program. If an option is not given, its environment variable applies.</summary>
/// <param name="environment">The value of an environment variable, or null when it is not set.</param>
public sealed class LogOptions(Func<string, string?> environment)
{
    private static readonly string[] Levels = [.. LogChoice.Levels.Select(level => level.Name)];
    private static readonly string[] Formats = [LogChoice.TextFormat, LogChoice.JsonFormat];
    private static readonly string[] Switch = [LogChoice.On, LogChoice.Off];

    private readonly Option<LogLevel?> level = Options.OptionalChoice(
        "--log-level",
        $"Lowest level that is logged on standard error (docs/logs.md), default {LogChoice.LevelVariable}, else {Levels[0]}",
        LogChoice.Levels
    );

    private readonly Option<string?> format = Options.OptionalChoice(
        "--log-format",
        $"Format of the log lines, default {LogChoice.FormatVariable}, else {Formats[0]}",
        Formats
    );

    private readonly Option<bool> frames = Options.Flag(
        "--trace-frames",
        $"Log each AMQP frame without its body at any level. The same as {LogChoice.FramesVariable}={LogChoice.On}"
    );

    /// <summary>Adds the options and the checks of the variables.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(level);
        command.Options.Add(format);
        command.Options.Add(frames);
        command.Check(result => result.GetValue(level) is null ? Problem(LogChoice.LevelVariable, Levels) : null);
        command.Check(result => result.GetValue(format) is null ? Problem(LogChoice.FormatVariable, Formats) : null);
        command.Check(result => result.GetValue(frames) ? null : Problem(LogChoice.FramesVariable, Switch));
    }

    /// <summary>Reads the choice from the options and variables.</summary>
    public LogChoice Read(ParseResult result) =>
        new(
            result.GetValue(level) ?? GetLevel(Variable(LogChoice.LevelVariable) ?? Levels[0]),
            (result.GetValue(format) ?? Variable(LogChoice.FormatVariable)) == LogChoice.JsonFormat,
            result.GetValue(frames) || Variable(LogChoice.FramesVariable) == LogChoice.On
        );

    private static LogLevel GetLevel(string name) => LogChoice.Levels.First(level => level.Name == name).Value;

    // A blank value counts as not set.
    private string? Variable(string name) => environment(name) is { } value && !string.IsNullOrWhiteSpace(value) ? value : null;

    private string? Problem(string variable, string[] known) =>
        Variable(variable) is { } text && !known.Contains(text, StringComparer.Ordinal)
            ? $"{variable} {SecretMask.Quote(text)}: {OptionValues.Unknown(text, known)}"
            : null;
}
