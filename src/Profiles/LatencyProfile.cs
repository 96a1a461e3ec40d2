using System.Collections.Immutable;

namespace EventHubThroughput.Profiles;

/// <summary>A named set of laws, quotas and steps.</summary>
public sealed record LatencyProfile(string Name)
{
    public static IReadOnlyList<EmulatedOperation> Operations { get; } = Enum.GetValues<EmulatedOperation>();

    private ImmutableDictionary<EmulatedOperation, LatencyLaw> Laws { get; init; } = ImmutableDictionary<EmulatedOperation, LatencyLaw>.Empty;

    public LatencyLaw MessageSend
    {
        get => Of(EmulatedOperation.MessageSend);
        init => Laws = Laws.SetItem(EmulatedOperation.MessageSend, value);
    }

    public LatencyLaw BlobWrite
    {
        get => Of(EmulatedOperation.BlobWrite);
        init => Laws = Laws.SetItem(EmulatedOperation.BlobWrite, value);
    }

    public LatencyLaw CheckpointWrite
    {
        get => Of(EmulatedOperation.CheckpointWrite);
        init => Laws = Laws.SetItem(EmulatedOperation.CheckpointWrite, value);
    }

    public LatencyLaw EventReceive
    {
        get => Of(EmulatedOperation.EventReceive);
        init => Laws = Laws.SetItem(EmulatedOperation.EventReceive, value);
    }

    /// <summary>Sends to queues and topics.</summary>
    public RateQuota ServiceBusQuota { get; init; } = RateQuota.None;

    /// <summary>Events that event hubs accept.</summary>
    public RateQuota EventHubsQuota { get; init; } = RateQuota.None;

    /// <summary>Requests to the blob endpoint.</summary>
    public RateQuota BlobQuota { get; init; } = RateQuota.None;

    /// <summary>The times at which all latencies change, from the moment at which the profile is set.</summary>
    public IReadOnlyList<TimeStep> Steps { get; init; } = [];

    public bool IsNone => Steps.Count == 0 && Operations.All(operation => Of(operation).IsZero && GetQuota(operation).IsNone);

    public LatencyLaw Of(EmulatedOperation operation) => Laws.GetValueOrDefault(operation, LatencyLaw.Zero);

    public LatencyProfile With(EmulatedOperation operation, LatencyLaw law) => this with { Laws = Laws.SetItem(operation, law) };

    /// <summary>The profile with the limits of a number of Event Hubs throughput units: more events are refused, and reading is slowed down.</summary>
    public LatencyProfile WithThroughputUnits(int units) =>
        With(
            EmulatedOperation.EventDeliver,
            Of(EmulatedOperation.EventDeliver) with
            {
                EventsPerSecond = 4_096 * units,
                BytesPerSecond = 2 * RateQuota.Mebibyte * units,
            }
        ) with
        {
            EventHubsQuota = new RateQuota
            {
                EventsPerSecond = 1_000 * units,
                BytesPerSecond = RateQuota.Mebibyte * units,
                AdviseSeconds = 4,
            },
        };

    public RateQuota GetQuota(EmulatedOperation operation) =>
        operation switch
        {
            EmulatedOperation.MessageSend => ServiceBusQuota,
            EmulatedOperation.EventSend => EventHubsQuota,
            EmulatedOperation.BlobWrite
            or EmulatedOperation.CheckpointWrite
            or EmulatedOperation.OwnershipWrite
            or EmulatedOperation.BlobRead
            or EmulatedOperation.BlobList
            or EmulatedOperation.BlobDelete => BlobQuota,
            _ => RateQuota.None,
        };

    public double FactorAt(double seconds)
    {
        var factor = 1.0;
        foreach (var step in Steps)
        {
            factor *= seconds >= step.FromSeconds && seconds < step.ToSeconds ? step.Factor : 1;
        }

        return factor;
    }
}

/// <summary>A period in which all latencies are multiplied.</summary>
public readonly record struct TimeStep(double FromSeconds, double ToSeconds, double Factor);
