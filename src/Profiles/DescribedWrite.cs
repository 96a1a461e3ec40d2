using EventHubThroughput.Settings;

namespace EventHubThroughput.Profiles;

/// <summary>One write of a handler: how long it takes, and what its service allows.</summary>
/// <param name="Name">The name of its destination.</param>
/// <param name="Law">Its duration, how many its service does concurrently, and the rate above which writes wait for their turn.</param>
public sealed record DescribedWrite(string Name, LatencyLaw Law)
{
    /// <summary>The form that <see cref="DescribedWriteReader"/> reads: <c>sql=8ms/2ms:concurrency=20:quota=500/s</c>.</summary>
    public override string ToString()
    {
        var spread = Law.DeviationMilliseconds > 0 ? $"/{GetText(Law.DeviationMilliseconds)}" : "";
        var concurrency = Law.Concurrency > 0 ? $":{DescribedWriteReader.Concurrency}={NumberText.Format((long)Law.Concurrency)}" : "";
        var quota = Law.OperationsPerSecond > 0 ? $":{DescribedWriteReader.Quota}={NumberText.Format(Law.OperationsPerSecond)}/s" : "";
        return $"{Name}={GetText(Law.MeanMilliseconds)}{spread}{concurrency}{quota}";
    }

    private static string GetText(double milliseconds) => DurationText.Format(TimeSpan.FromMilliseconds(milliseconds));
}
