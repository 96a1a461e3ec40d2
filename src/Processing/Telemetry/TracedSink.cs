using System.Diagnostics;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Processing.Telemetry;

/// <summary>
/// Creates an activity for every try of a write if there is a listener. Its parent is the activity of the event's batch, and it has a link to the sender's
/// activity. The sink runs within it.
/// </summary>
internal class TracedSink(ISink<ReceivedEvent> sink, MessagingSettings settings, ActivitySource activities, BatchTraces batches)
    : ISink<ReceivedEvent>,
        IAsyncDisposable
{
    public string Name => sink.Name;

    public bool LimitsItself => sink.LimitsItself;

    /// <summary>The same sink, traced. A sink with batches still has them.</summary>
    public static ISink<ReceivedEvent> Around(ISink<ReceivedEvent> sink, MessagingSettings settings, ActivitySource activities, BatchTraces batches) =>
        sink is IBatchSink<ReceivedEvent> several
            ? new TracedBatchSink(several, settings, activities, batches)
            : new TracedSink(sink, settings, activities, batches);

    public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) =>
        activities.HasListeners() ? TraceAsync(receivedEvent, cancellationToken) : sink.WriteAsync(receivedEvent, cancellationToken);

    public async ValueTask DisposeAsync()
    {
        switch (sink)
        {
            case IAsyncDisposable disposable:
                await disposable.DisposeAsync();
                break;
            case IDisposable disposable:
                disposable.Dispose();
                break;
        }
    }

    protected Activity? Start(params IReadOnlyList<ReceivedEvent> events)
    {
        if (!activities.HasListeners())
        {
            return null;
        }

        var first = events[0];
        var activity = activities.StartActivity(
            $"process {settings.EventHubName}",
            ActivityKind.Consumer,
            batches.GetContext(first),
            links: [.. events.Select(BatchTraces.GetLink).OfType<ActivityLink>()]
        );
        if (activity is { IsAllDataRequested: true })
        {
            foreach (var (name, value) in ProcessingInstruments.GetTags(settings, first.PartitionId, "process"))
            {
                activity.SetTag(name, value);
            }

            activity.SetTag("messaging.operation.type", "process");
            activity.SetTag("messaging.eventhubs.message.enqueued_time", first.EnqueuedTime.ToUnixTimeSeconds());
            activity.SetTag("eventhub.sink", Name);
        }

        return activity;
    }

    protected static void Fail(Activity? activity, Exception failure)
    {
        activity?.SetTag("error.type", failure is MessagingException known ? known.Kind.ToString() : failure.GetType().FullName);
        activity?.SetStatus(ActivityStatusCode.Error);
    }

    private async ValueTask TraceAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        using var activity = Start(receivedEvent);
        try
        {
            await sink.WriteAsync(receivedEvent, cancellationToken);
        }
        catch (Exception failure)
        {
            Fail(activity, failure);
            throw;
        }
    }
}

/// <summary>The same for a sink that takes several events in one operation, which is one activity.</summary>
internal sealed class TracedBatchSink(IBatchSink<ReceivedEvent> sink, MessagingSettings settings, ActivitySource activities, BatchTraces batches)
    : TracedSink(sink, settings, activities, batches),
        IBatchSink<ReceivedEvent>
{
    public int LargestBatch => sink.LargestBatch;

    public async ValueTask<IReadOnlyList<Exception?>> WriteBatchAsync(IReadOnlyList<ReceivedEvent> events, CancellationToken cancellationToken)
    {
        using var activity = Start(events);
        activity?.SetTag("messaging.batch.message_count", events.Count);
        try
        {
            var outcomes = await sink.WriteBatchAsync(events, cancellationToken);
            if (outcomes.FirstOrDefault(static outcome => outcome is not null) is { } failure)
            {
                Fail(activity, failure);
            }

            return outcomes;
        }
        catch (Exception failure)
        {
            Fail(activity, failure);
            throw;
        }
    }
}
