using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Sender.Sending;

/// <summary>The progress of the sender. The lanes write it and the views read it.</summary>
internal sealed class SendCounters(long intended)
{
    private long acknowledged;
    private long failed;
    private long unknown;
    private long mostLate;

    public long Intended { get; } = intended;

    public long Acknowledged => Interlocked.Read(ref acknowledged);

    public long Failed => Interlocked.Read(ref failed);

    public long Unknown => Interlocked.Read(ref unknown);

    /// <summary>The longest delay of an event after its scheduled send time.</summary>
    public TimeSpan MostLate => TimeSpan.FromMilliseconds(Interlocked.Read(ref mostLate));

    public long Attempted => Acknowledged + Failed + Unknown;

    public void AddAcknowledged(long count) => Interlocked.Add(ref acknowledged, count);

    public void AddFailed(long count) => Interlocked.Add(ref failed, count);

    public void AddUnknown(long count) => Interlocked.Add(ref unknown, count);

    /// <summary>Records that an event was sent this number of milliseconds after its scheduled send time.</summary>
    public void AddLate(long milliseconds) => InterlockedExtremes.KeepLargest(ref mostLate, milliseconds);
}
