using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Logging;

/// <summary>One category's logger, behind the limit that it shares with all others of its factory.</summary>
internal sealed class LimitedLogger(string category, ILogger inner, RepeatLimit limit) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => inner.BeginScope(state);

    public bool IsEnabled(LogLevel logLevel) => inner.IsEnabled(logLevel);

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (!inner.IsEnabled(logLevel))
        {
            return;
        }

        if (logLevel < LogLevel.Information)
        {
            inner.Log(logLevel, eventId, state, exception, formatter);
            return;
        }

        var values = state as IReadOnlyList<KeyValuePair<string, object?>> ?? [];
        var subject = LineSubject.Of(category, eventId, values);
        if (limit.Admits(subject))
        {
            inner.Log(logLevel, eventId, state, exception, formatter);
        }
        else
        {
            limit.HoldBack(subject, new RepeatedLine(inner, logLevel, eventId, formatter(state, exception), [.. values], exception));
        }
    }
}
