using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Logging;

/// <summary>The line that all libraries share (docs/logs.md).</summary>
internal static partial class Log
{
    [LoggerMessage(1501, LogLevel.Error, "{Callback}: this callback threw, which it must not")]
    public static partial void CallbackFailed(ILogger log, string callback, Exception exception);
}
