namespace EventHubThroughput.Lab.Results;

/// <summary>The input of the run.</summary>
internal sealed record InputDetails
{
    /// <summary>Partitions of the event hub.</summary>
    public required int Partitions { get; init; }

    /// <summary>Events that an embedded run sent, or else those that waited at the start. Null for a run that follows the hub.</summary>
    public long? Events { get; init; }

    /// <summary>The name of the file whose events an embedded run replayed. Null where they were generated, or are not its own.</summary>
    public string? File { get; init; }

    /// <summary>The field of that file that was the partition key. Null where there was none.</summary>
    public string? KeyField { get; init; }

    /// <summary>Mean size of an event's body in bytes. Null where the run did not generate the events itself.</summary>
    public double? BodyBytes { get; init; }

    /// <summary>The smallest of these bodies in bytes.</summary>
    public int? BodyBytesMin { get; init; }

    /// <summary>The largest of these bodies in bytes.</summary>
    public int? BodyBytesMax { get; init; }

    /// <summary>The sizes of the bodies, one or several with their weights (64:90,4096:10). Null where the run did not generate the events itself.</summary>
    public string? BodySizes { get; init; }

    /// <summary>
    /// Events a second that were requested while the run continued, others from a time on (100/s,500/s@30s). Null where the hub was filled before.
    /// </summary>
    public string? Rate { get; init; }

    /// <summary>The mean rate of the sender's schedule, in events a second. Null where the hub was filled before, or the sender reported no figures.</summary>
    public double? RateIntendedPerS { get; init; }

    /// <summary>The rate that it kept. Below 99 % of the scheduled rate, the load is not the requested one.</summary>
    public double? RateAchievedPerS { get; init; }

    /// <summary>The longest delay of an event after its scheduled send time, in milliseconds.</summary>
    public double? MostLateMs { get; init; }

    /// <summary>
    /// By how many seconds a second the time of an event rose, from its scheduled send time. Null where the rate changes, or with too few windows.
    /// </summary>
    public double? LagGrowth { get; init; }

    /// <summary>Whether events waited ever longer: that time rose by more than 2 % of the time, and steadily. Null where that cannot be determined.</summary>
    public bool? FallsBehind { get; init; }

    /// <summary>Number of partition keys, 0 without. Null where the run did not generate the events itself.</summary>
    public int? Keys { get; init; }

    /// <summary>Zipf exponent of the keys, 0 where all are equally frequent. Null without keys, and where the run did not send the events itself.</summary>
    public double? KeySkew { get; init; }

    /// <summary>Events that waited at the start. Null for a run that follows the hub.</summary>
    public long? BacklogAtStart { get; init; }

    /// <summary>Of these the events that were neither completed nor dead-lettered at the end.</summary>
    public long? BacklogLeft { get; init; }
}
