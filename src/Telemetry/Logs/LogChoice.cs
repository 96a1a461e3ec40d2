using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Telemetry.Logs;

/// <summary>The log settings of a program.</summary>
/// <param name="Level">The lowest level that is written. <see cref="LogLevel.None"/> writes nothing.</param>
/// <param name="Json">Whether each line is a JSON object instead of text.</param>
/// <param name="Frames">Whether AMQP frames are written, independent of the level.</param>
public sealed record LogChoice(LogLevel Level, bool Json, bool Frames)
{
    public const string LevelVariable = "EHT_LOG_LEVEL";
    public const string FormatVariable = "EHT_LOG_FORMAT";
    public const string FramesVariable = "EHT_TRACE_FRAMES";
    public const string On = "on";
    public const string Off = "off";
    public const string JsonFormat = "json";
    public const string TextFormat = "text";

    /// <summary>The valid levels, by name.</summary>
    public static IReadOnlyList<(string Name, LogLevel Value)> Levels { get; } =
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

    /// <summary>The same as environment variables, for programs that this one starts.</summary>
    public IReadOnlyDictionary<string, string> Variables =>
        new Dictionary<string, string>(StringComparer.Ordinal)
        {
            [LevelVariable] = Levels.First(known => known.Value == Level).Name,
            [FormatVariable] = Json ? JsonFormat : TextFormat,
            [FramesVariable] = Frames ? On : Off,
        };
}
