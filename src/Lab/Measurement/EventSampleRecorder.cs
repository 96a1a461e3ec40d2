using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>Records the first events of one ownership that are handed over after it may record.</summary>
/// <param name="partition">The partition.</param>
/// <param name="tryClaim">Whether it records: true, false for ever, or null for not yet.</param>
/// <param name="timeProvider">The clock.</param>
/// <param name="sinks">The names of the sinks, by place.</param>
internal sealed class EventSampleRecorder(string partition, Func<EventSampleRecorder, bool?> tryClaim, TimeProvider timeProvider, IReadOnlyList<string> sinks)
    : PartitionObserver
{
    private const int MostCheckpoints = 4 * EventSample.Size;

    private readonly Lock gate = new();
    private volatile Phase phase = Phase.Waiting;

    // Touched under the gate. Times are since the first event was received.
    private readonly List<Times> events = [];
    private readonly List<SampledSpan> checkpoints = [];
    private long receivedAt;
    private long origin;

    private enum Phase
    {
        Waiting,
        Recording,
        Ended,
    }

    public override void BatchReceived(int events, TimeSpan? waited)
    {
        if (phase != Phase.Ended)
        {
            lock (gate)
            {
                receivedAt = timeProvider.GetTimestamp();
            }
        }
    }

    public override void HandedOver(IReadOnlyList<EventSlot> events, int outstanding)
    {
        if (phase == Phase.Ended || (phase == Phase.Waiting && !Claim()))
        {
            return;
        }

        lock (gate)
        {
            for (var place = 0; place < events.Count && this.events.Count < EventSample.Size; place++)
            {
                origin = this.events.Count == 0 ? receivedAt : origin;
                this.events.Add(new Times(events[place].SequenceNumber, timeProvider.GetElapsedTime(origin, receivedAt), GetNow(), sinks.Count));
            }
        }
    }

    public override void Begun(EventSlot receivedEvent, int inFlight)
    {
        if (phase == Phase.Recording)
        {
            lock (gate)
            {
                Find(receivedEvent.SequenceNumber)?.Begun = GetNow();
            }
        }
    }

    public override void Acknowledged(long sequence, int sink, TimeSpan elapsed)
    {
        if (phase == Phase.Recording)
        {
            lock (gate)
            {
                Find(sequence)?.Writes[sink] = GetSpan(elapsed);
            }
        }
    }

    public override void Completed(in EventCompletion completion)
    {
        if (phase == Phase.Recording)
        {
            lock (gate)
            {
                Find(completion.Sequence)?.Completed = GetNow();
                EndIfComplete();
            }
        }
    }

    public override void BatchEnded(int events, TimeSpan elapsed)
    {
        if (phase == Phase.Recording)
        {
            lock (gate)
            {
                foreach (var one in this.events)
                {
                    one.BatchEnded ??= GetNow();
                }

                EndIfComplete();
            }
        }
    }

    public override void CheckpointStored(EventPosition position, long events, TimeSpan elapsed)
    {
        if (phase == Phase.Recording)
        {
            lock (gate)
            {
                if (checkpoints.Count < MostCheckpoints)
                {
                    checkpoints.Add(GetSpan(elapsed));
                }
            }
        }
    }

    public override void Closed(bool lost) => phase = Phase.Ended;

    /// <summary>What was recorded. Null without any event.</summary>
    public SampledEvents? Read()
    {
        lock (gate)
        {
            return events.Count == 0
                ? null
                : new SampledEvents
                {
                    Partition = partition,
                    Events = [.. events.Select(one => one.ToResult(sinks))],
                    Checkpoints = [.. checkpoints],
                };
        }
    }

    private bool Claim()
    {
        var claimed = tryClaim(this);
        phase = claimed switch
        {
            true => Phase.Recording,
            false => Phase.Ended,
            null => Phase.Waiting,
        };
        return claimed == true;
    }

    private void EndIfComplete()
    {
        if (events.Count == EventSample.Size && events.TrueForAll(static one => one is { Completed: not null, BatchEnded: not null }))
        {
            phase = Phase.Ended;
        }
    }

    private Times? Find(long sequence) => events.Find(one => one.Sequence == sequence);

    private TimeSpan GetNow() => timeProvider.GetElapsedTime(origin);

    private SampledSpan GetSpan(TimeSpan elapsed)
    {
        var now = GetNow();
        return new SampledSpan { FromMs = GetMs(now - elapsed), ToMs = GetMs(now) };
    }

    // A microsecond is enough for a drawing, and results have many cells.
    private static double GetMs(TimeSpan time) => Math.Round(time.TotalMilliseconds, 3);

    private static double? GetMs(TimeSpan? time) => time is { } known ? GetMs(known) : null;

    private sealed class Times(long sequence, TimeSpan received, TimeSpan handedOver, int sinks)
    {
        public long Sequence => sequence;

        public TimeSpan? Begun { get; set; }

        public SampledSpan?[] Writes { get; } = new SampledSpan?[sinks];

        public TimeSpan? Completed { get; set; }

        public TimeSpan? BatchEnded { get; set; }

        public SampledEvent ToResult(IReadOnlyList<string> names) =>
            new()
            {
                Sequence = sequence,
                ReceivedMs = GetMs(received),
                HandedOverMs = GetMs(handedOver),
                BegunMs = GetMs(Begun),
                Writes = names
                    .Zip(Writes)
                    .Where(static write => write.Second is not null)
                    .ToDictionary(static write => write.First, static write => write.Second!, StringComparer.Ordinal),
                CompletedMs = GetMs(Completed),
                BatchEndedMs = GetMs(BatchEnded),
            };
    }
}
