using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using Azure.Core.Diagnostics;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Azure.Logs;

/// <summary>
/// Writes what the packages trace to loggers. The category is the event source's name with dots (<c>Azure.Messaging.EventHubs</c>). The packages call
/// "informational" what happens once for every request, so their levels below a warning become one level lower.
/// </summary>
internal sealed class PackageLog : IDisposable
{
    private readonly ConcurrentDictionary<string, ILogger> loggers = new(StringComparer.Ordinal);
    private readonly ILoggerFactory factory;
    private readonly AzureEventSourceListener listener;

    private PackageLog(ILoggerFactory factory, EventLevel level)
    {
        this.factory = factory;
        listener = new AzureEventSourceListener(Write, level);
    }

    /// <summary>Begins to write; null where no level that the packages use is enabled, since tracing costs them time.</summary>
    public static PackageLog? To(ILoggerFactory? factory) =>
        factory is not null && LevelOf(factory.CreateLogger("Azure")) is { } level ? new PackageLog(factory, level) : null;

    public void Dispose() => listener.Dispose();

    private static EventLevel? LevelOf(ILogger log) =>
        log switch
        {
            _ when log.IsEnabled(LogLevel.Trace) => EventLevel.Verbose,
            _ when log.IsEnabled(LogLevel.Debug) => EventLevel.Informational,
            _ when log.IsEnabled(LogLevel.Warning) => EventLevel.Warning,
            _ when log.IsEnabled(LogLevel.Error) => EventLevel.Error,
            _ => null,
        };

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
