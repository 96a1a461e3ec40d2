using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Testing;

public static partial class TestLog
{
    [LoggerMessage(1, LogLevel.Warning, "{Subject} lost ({Number})")]
    public static partial void Lost(ILogger logger, string subject, int number, Exception? cause);

    [LoggerMessage(2, LogLevel.Information, "{Subject} found")]
    public static partial void Found(ILogger logger, string subject);

    [LoggerMessage(3, LogLevel.Debug, "{Subject} looked at")]
    public static partial void Detail(ILogger logger, string subject);
}
