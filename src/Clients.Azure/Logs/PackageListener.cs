using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using Azure.Core.Diagnostics;
using EventHubThroughput.Logging;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Azure.Logs;

/// <summary>
/// Listens to the trace events of the packages, for one factory. The category is the event source's name with dots (<c>Azure.Messaging.EventHubs</c>). The
/// packages use "informational" for events of every request. So levels below a warning become one level lower.
/// </summary>
internal sealed class PackageListener : IDisposable
{
    private readonly ConcurrentDictionary<string, ILogger> loggers = new(StringComparer.Ordinal);
    private readonly ILoggerFactory given;
    private readonly ILoggerFactory factory;
    private readonly AzureEventSourceListener listener;

    /// <param name="given">Creates the loggers. It still belongs to the caller.</param>
    /// <param name="level">The level to listen to.</param>
    /// <param name="timeProvider">The clock of the limit of repeated lines.</param>
    public PackageListener(ILoggerFactory given, EventLevel level, TimeProvider timeProvider)
    {
        this.given = given;
        factory = LimitedLoggerFactory.Over(given, timeProvider);
        listener = new AzureEventSourceListener(Write, level);
    }

    /// <summary>The number of clients that use it. Changed under the gate of <see cref="PackageLog"/>.</summary>
    public int Users { get; set; }

    /// <summary>The level of the packages' events that a log writes. Null for none.</summary>
    public static EventLevel? GetLevel(ILogger log) =>
        log switch
        {
            _ when log.IsEnabled(LogLevel.Trace) => EventLevel.Verbose,
            _ when log.IsEnabled(LogLevel.Debug) => EventLevel.Informational,
            _ when log.IsEnabled(LogLevel.Warning) => EventLevel.Warning,
            _ when log.IsEnabled(LogLevel.Error) => EventLevel.Error,
            _ => null,
        };

    public void Dispose()
    {
        listener.Dispose();
        if (factory != given)
        {
            // Writes suppressed lines.
            factory.Dispose();
        }
    }

    // The source is the first value: lines of one event id of one source count as repetitions of each other.
    private void Write(EventWrittenEventArgs written, string message)
    {
        var source = written.EventSource.Name;
        var log = loggers.GetOrAdd(source, static (name, factory) => factory.CreateLogger(name.Replace('-', '.')), factory);
        var level = written.Level switch
        {
            EventLevel.Critical or EventLevel.Error => LogLevel.Error,
            EventLevel.Warning => LogLevel.Warning,
            EventLevel.Informational => LogLevel.Debug,
            _ => LogLevel.Trace,
        };
        if (log.IsEnabled(level))
        {
            log.Log(level, new EventId(written.EventId, written.EventName), message, null, static (text, _) => text);
        }
    }
}
