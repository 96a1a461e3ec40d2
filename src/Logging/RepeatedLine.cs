using System.Globalization;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Logging;

/// <summary>A suppressed line, as it will be written.</summary>
internal sealed record RepeatedLine(
    ILogger Logger,
    LogLevel Level,
    EventId EventId,
    string Message,
    IReadOnlyList<KeyValuePair<string, object?>> Values,
    Exception? Exception
)
{
    /// <summary>Writes it, with the number of similar lines that were left out.</summary>
    public void Write(int leftOut, TimeSpan period)
    {
        if (leftOut == 0)
        {
            LimitedLogger.Write(() => Logger.Log(Level, EventId, Values, Exception, (_, _) => Message));
            return;
        }

        var text = string.Create(CultureInfo.InvariantCulture, $"{Message} ({leftOut} more like it in {period.TotalSeconds:0.###} s left out)");
        KeyValuePair<string, object?>[] values = [new("LeftOut", leftOut), .. Values];
        LimitedLogger.Write(() => Logger.Log<IReadOnlyList<KeyValuePair<string, object?>>>(Level, EventId, values, Exception, (_, _) => text));
    }
}
