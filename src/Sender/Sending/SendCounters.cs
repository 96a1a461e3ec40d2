using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Sender.Sending;

/// <summary>How far the sending is. Written by the lanes, read by whoever shows it.</summary>
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

    /// <summary>The longest that an event was sent after the time that the schedule meant for it.</summary>
    public TimeSpan MostLate => TimeSpan.FromMilliseconds(Interlocked.Read(ref mostLate));

    public long Attempted => Acknowledged + Failed + Unknown;

    public void AddAcknowledged(long count) => Interlocked.Add(ref acknowledged, count);

    public void AddFailed(long count) => Interlocked.Add(ref failed, count);

    public void AddUnknown(long count) => Interlocked.Add(ref unknown, count);

    /// <summary>An event was sent so many milliseconds after the time that was meant for it.</summary>
    public void AddLate(long milliseconds) => InterlockedExtremes.KeepLargest(ref mostLate, milliseconds);
}
