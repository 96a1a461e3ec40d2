using System.Collections.Concurrent;
using System.Diagnostics.Tracing;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>The log of the packages at their most verbose, from any of their sources.</summary>
internal sealed class LoggedText : EventListener
{
    private readonly ConcurrentQueue<string> lines = new();
    private readonly ConcurrentDictionary<string, bool> sources = new(StringComparer.Ordinal);

    public IEnumerable<string> Lines => lines;

    public IEnumerable<string> Sources => sources.Keys;

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name.Contains("Azure", StringComparison.Ordinal) || eventSource.Name.Contains("Identity", StringComparison.Ordinal))
        {
            EnableEvents(eventSource, EventLevel.Verbose, EventKeywords.All);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        sources.TryAdd(eventData.EventSource.Name, true);
        lines.Enqueue($"{eventData.EventName} {eventData.Message} {string.Join(' ', eventData.Payload ?? (IEnumerable<object?>)[])}");
    }
}
