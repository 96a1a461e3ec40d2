using EventHubThroughput.Clients;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>The failures at one sink.</summary>
/// <param name="Retries">Tries after the first one.</param>
/// <param name="Throttles">Those of them that followed a service that asked to slow down.</param>
/// <param name="Timeouts">Those that followed when no answer came in time.</param>
/// <param name="Unconnected">Those that followed when no connection could be made.</param>
/// <param name="Failed">Writes that failed for good.</param>
/// <param name="Cut">Writes that were cut off at the end.</param>
internal readonly record struct SinkErrorCounts(long Retries, long Throttles, long Timeouts, long Unconnected, long Failed, long Cut);

/// <summary>Counts the failures at one sink. Safe for several threads.</summary>
internal sealed class SinkErrorCounter
{
    private long retries;
    private long throttles;
    private long timeouts;
    private long unconnected;
    private long failed;
    private long cut;

    public SinkErrorCounts Counts =>
        new(
            Interlocked.Read(ref retries),
            Interlocked.Read(ref throttles),
            Interlocked.Read(ref timeouts),
            Interlocked.Read(ref unconnected),
            Interlocked.Read(ref failed),
            Interlocked.Read(ref cut)
        );

    /// <summary>A try has failed.</summary>
    public void TryFailed(MessagingException failure, AfterFailure next)
    {
        if (next != AfterFailure.TriedAgain)
        {
            Interlocked.Increment(ref failed);
            return;
        }

        Interlocked.Increment(ref retries);
        if (failure.IsTimeout)
        {
            Interlocked.Increment(ref timeouts);
        }

        switch (failure.Kind)
        {
            case FailureKind.Throttled:
                Interlocked.Increment(ref throttles);
                break;
            case FailureKind.Unconnected:
                Interlocked.Increment(ref unconnected);
                break;
            default:
                break;
        }
    }

    /// <summary>A write was cut off at the end.</summary>
    public void WriteCut() => Interlocked.Increment(ref cut);
}
