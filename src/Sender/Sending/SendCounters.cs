namespace EventHubThroughput.Sender.Sending;

/// <summary>How far the sending is; written by the lanes, read by whoever shows it.</summary>
internal sealed class SendCounters(long intended)
{
    private long acknowledged;
    private long failed;
    private long unknown;

    public long Intended { get; } = intended;

    public long Acknowledged => Interlocked.Read(ref acknowledged);

    public long Failed => Interlocked.Read(ref failed);

    public long Unknown => Interlocked.Read(ref unknown);

    public long Attempted => Acknowledged + Failed + Unknown;

    public void AddAcknowledged(long count) => Interlocked.Add(ref acknowledged, count);

    public void AddFailed(long count) => Interlocked.Add(ref failed, count);

    public void AddUnknown(long count) => Interlocked.Add(ref unknown, count);
}
