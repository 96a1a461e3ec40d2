using Microsoft.Extensions.Logging;

namespace EventHubThroughput.CommandLine.Logs;

/// <summary>What a program was asked to log.</summary>
/// <param name="Level">The least level that is written; <see cref="LogLevel.None"/> writes nothing.</param>
/// <param name="Json">Whether each line is a JSON object instead of text.</param>
/// <param name="Frames">Whether AMQP frames are written, whatever the level of the rest.</param>
public sealed record LogChoice(LogLevel Level, bool Json, bool Frames)
{
    internal const string LevelVariable = "EHT_LOG_LEVEL";
    internal const string FormatVariable = "EHT_LOG_FORMAT";
    internal const string FramesVariable = "EHT_TRACE_FRAMES";
    internal const string On = "on";
    internal const string Off = "off";
    internal const string JsonFormat = "json";
    internal const string TextFormat = "text";

    /// <summary>The levels that may be asked for, by their names.</summary>
    internal static IReadOnlyList<(string Name, LogLevel Value)> Levels { get; } =
    [
        ("none", LogLevel.None),
        ("error", LogLevel.Error),
        ("warning", LogLevel.Warning),
        ("information", LogLevel.Information),
        ("debug", LogLevel.Debug),
        ("trace", LogLevel.Trace),
    ];

    /// <summary>Nothing is logged.</summary>
    public static LogChoice Nothing { get; } = new(LogLevel.None, Json: false, Frames: false);

    /// <summary>Whether nothing is logged.</summary>
    public bool IsNothing => Level == LogLevel.None && !Frames;

    /// <summary>The same as environment variables, for programs that are started to help this one.</summary>
    public IReadOnlyDictionary<string, string> Variables =>
        new Dictionary<string, string>(StringComparer.Ordinal)
        {
            [LevelVariable] = Levels.First(known => known.Value == Level).Name,
            [FormatVariable] = Json ? JsonFormat : TextFormat,
            [FramesVariable] = Frames ? On : Off,
        };
}
