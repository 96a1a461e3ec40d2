using System.Collections.Concurrent;
using System.Diagnostics;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing.Telemetry;

/// <summary>The batch of an event, as the parent activity of its writes. Nothing is kept without a listener.</summary>
internal sealed class BatchTraces(MessagingSettings settings, ActivitySource activities)
{
    private readonly ConcurrentDictionary<string, BatchTraceObserver> partitions = new(StringComparer.Ordinal);

    /// <summary>Creates the activities of the batches of one ownership.</summary>
    public PartitionObserver GetObserver(string partition)
    {
        var observer = new BatchTraceObserver(partition, settings, activities);
        partitions[partition] = observer;
        return observer;
    }

    /// <summary>The activity of the event's batch. Default where that was not sampled.</summary>
    public ActivityContext GetContext(ReceivedEvent receivedEvent) =>
        partitions.TryGetValue(receivedEvent.PartitionId, out var observer) ? observer.GetContext(receivedEvent.SequenceNumber) : default;

    /// <summary>A link to the sender's activity. Null when the event names none.</summary>
    public static ActivityLink? GetLink(ReceivedEvent receivedEvent) =>
        TraceParent.Of(receivedEvent.EncodedProperties.Span) is { } parent
        && ActivityContext.TryParse(parent, traceState: null, isRemote: true, out var context)
            ? new ActivityLink(context)
            : null;
}

/// <summary>
/// One activity for each batch, from its arrival until the strategy has accepted it and, with a barrier, written it. Batches of an ownership are sequential,
/// but writes of earlier ones may still run. So these are kept until the low watermark has passed them.
/// </summary>
internal sealed class BatchTraceObserver(string partition, MessagingSettings settings, ActivitySource activities) : PartitionObserver
{
    private readonly Lock gate = new();

    // Used under the gate. Batches by the last of their events, in order.
    private readonly List<(long Last, ActivityContext Context)> batches = [];
    private Activity? current;

    public override void BatchReceived(int events, TimeSpan? waited)
    {
        if (!activities.HasListeners())
        {
            return;
        }

        // The pump continues without an activity: its work for the next batch is not part of this one.
        var before = Activity.Current;
        Activity.Current = null;
        var activity = activities.StartActivity($"receive {settings.EventHubName}", ActivityKind.Client);
        Activity.Current = before;
        if (activity is { IsAllDataRequested: true })
        {
            foreach (var (name, value) in ProcessingInstruments.GetTags(settings, partition, "receive"))
            {
                activity.SetTag(name, value);
            }

            activity.SetTag("messaging.operation.type", "receive");
            activity.SetTag("messaging.batch.message_count", events);
        }

        lock (gate)
        {
            current = activity;
        }
    }

    public override void HandedOver(IReadOnlyList<EventSlot> events, int outstanding)
    {
        lock (gate)
        {
            if (current is not { } activity || events.Count == 0)
            {
                return;
            }

            batches.Add((events[^1].SequenceNumber, activity.Context));
            if (activity.IsAllDataRequested)
            {
                foreach (var received in events)
                {
                    if (BatchTraces.GetLink((ReceivedEvent)received) is { } link)
                    {
                        activity.AddLink(link);
                    }
                }
            }
        }
    }

    public override void Completed(in EventCompletion completion)
    {
        lock (gate)
        {
            var passed = 0;
            while (passed < batches.Count && batches[passed].Last <= completion.Watermark)
            {
                passed++;
            }

            batches.RemoveRange(0, passed);
        }
    }

    public override void BatchEnded(int events, TimeSpan elapsed) => End(failed: false);

    public override void Closed(bool lost)
    {
        End(failed: lost);
        lock (gate)
        {
            batches.Clear();
        }
    }

    public ActivityContext GetContext(long sequence)
    {
        lock (gate)
        {
            foreach (var (last, context) in batches)
            {
                if (sequence <= last)
                {
                    return context;
                }
            }

            return default;
        }
    }

    private void End(bool failed)
    {
        Activity? ended;
        lock (gate)
        {
            (ended, current) = (current, null);
        }

        if (failed)
        {
            ended?.SetTag("error.type", "ownership_lost").SetStatus(ActivityStatusCode.Error);
        }

        var before = Activity.Current;
        ended?.Stop();
        Activity.Current = before;
    }
}
