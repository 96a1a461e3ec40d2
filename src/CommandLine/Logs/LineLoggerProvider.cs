using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Logging.Console;

namespace EventHubThroughput.CommandLine.Logs;

/// <summary>
/// Formats each entry and passes it to a writer of lines before the call returns. Several threads may call concurrently, and the writer decides whether it
/// serializes them.
/// </summary>
internal sealed class LineLoggerProvider(ConsoleFormatter formatter, Action<string> write) : ILoggerProvider
{
    public ILogger CreateLogger(string categoryName) => new LineLogger(categoryName, formatter, write);

    public void Dispose()
    {
        // There is no buffer to flush.
    }

    private sealed class LineLogger(string category, ConsoleFormatter formatter, Action<string> write) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel != LogLevel.None;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> message)
        {
            using var text = new StringWriter();
            formatter.Write(new LogEntry<TState>(logLevel, category, eventId, state, exception, message), scopeProvider: null, text);
            if (text.GetStringBuilder().Length > 0)
            {
                write(text.ToString());
            }
        }
    }
}
