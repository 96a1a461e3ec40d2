using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Logging;

/// <summary>
/// The logger of one category, with the limit that all loggers of its factory share. A logger of the caller may throw: its exception is dropped, because
/// there is no other place to report it.
/// </summary>
internal sealed class LimitedLogger(string category, ILogger inner, RepeatLimit limit) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
    {
        try
        {
            return inner.BeginScope(state);
        }
        catch (Exception)
        {
            return null;
        }
    }

    public bool IsEnabled(LogLevel logLevel)
    {
        try
        {
            return inner.IsEnabled(logLevel);
        }
        catch (Exception)
        {
            return false;
        }
    }

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel))
        {
            return;
        }

        if (logLevel < LogLevel.Information)
        {
            Write(() => inner.Log(logLevel, eventId, state, exception, formatter));
            return;
        }

        var values = state as IReadOnlyList<KeyValuePair<string, object?>> ?? [];
        var subject = LineSubject.Of(category, eventId, values);
        if (limit.Admits(subject))
        {
            Write(() => inner.Log(logLevel, eventId, state, exception, formatter));
        }
        else
        {
            limit.HoldBack(subject, new RepeatedLine(inner, logLevel, eventId, formatter(state, exception), [.. values], exception));
        }
    }

    internal static void Write(Action line)
    {
        try
        {
            line();
        }
        catch (Exception)
        {
            // See the summary of this class.
        }
    }
}
