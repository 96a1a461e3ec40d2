using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Testing;

/// <summary>One line of a log.</summary>
public sealed record LogLine(string Category, LogLevel Level, EventId EventId, string Message, Exception? Exception);

/// <summary>Keeps all that is logged at or above a level, in order. May be used from several threads.</summary>
public sealed class LogRecorder(LogLevel least = LogLevel.Trace) : ILoggerFactory
{
    // Only a waiter for a line that never comes meets it.
    private static readonly TimeSpan WaitLimit = TimeSpan.FromMinutes(1);

    private readonly Lock gate = new();
    private readonly List<LogLine> lines = [];
    private readonly List<(Func<LogLine, bool> Wanted, TaskCompletionSource<LogLine> Found)> waiting = [];

    public IReadOnlyList<LogLine> Lines
    {
        get
        {
            lock (gate)
            {
                return [.. lines];
            }
        }
    }

    /// <summary>The lines of a kind, by the event's name.</summary>
    public IReadOnlyList<LogLine> Of(string name) => [.. Lines.Where(line => line.EventId.Name == name)];

    /// <summary>The first line of a kind: one that is there already, or the next that comes.</summary>
    public Task<LogLine> FirstAsync(string name, CancellationToken cancellationToken) => FirstAsync(line => line.EventId.Name == name, cancellationToken);

    /// <summary>The first line that is wanted: one that is there already, or the next that comes.</summary>
    public Task<LogLine> FirstAsync(Func<LogLine, bool> wanted, CancellationToken cancellationToken)
    {
        lock (gate)
        {
            if (lines.Find(line => wanted(line)) is { } present)
            {
                return Task.FromResult(present);
            }

            var found = new TaskCompletionSource<LogLine>(TaskCreationOptions.RunContinuationsAsynchronously);
            waiting.Add((wanted, found));
            return found.Task.WaitAsync(WaitLimit, cancellationToken);
        }
    }

    public ILogger CreateLogger(string categoryName) => new Category(this, categoryName, least);

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public void Dispose()
    {
        // It holds nothing.
    }

    private void Add(LogLine line)
    {
        lock (gate)
        {
            lines.Add(line);
            foreach (var (_, found) in waiting.FindAll(one => one.Wanted(line)))
            {
                found.TrySetResult(line);
            }
        }
    }

    private sealed class Category(LogRecorder recorder, string name, LogLevel least) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= least && logLevel != LogLevel.None;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel))
            {
                recorder.Add(new LogLine(name, logLevel, eventId, formatter(state, exception), exception));
            }
        }
    }
}
