using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Comparing;

public sealed class MeasuredLatenciesTests
{
    private static readonly LatencyProfile Asked = LatencyProfiles.Named("article-spread");

    [Fact]
    public void Has_the_means_that_were_kept_where_those_asked_for_were_missed()
    {
        var kept = MeasuredLatencies.Of(Asked, [Row("messageSend", 18.52, 20.372), Row("blobWrite", 9.35, 9.36)]);

        Assert.Equal(20.372, kept.MessageSend.MeanMilliseconds, 6);
        Assert.Equal(Asked.MessageSend.DeviationMilliseconds * 1.1, kept.MessageSend.DeviationMilliseconds, 6);
        Assert.Equal(Asked.BlobWrite, kept.BlobWrite);
        Assert.Equal(Asked.CheckpointWrite, kept.CheckpointWrite);
    }

    [Fact]
    public void Is_the_profile_that_was_asked_for_where_that_was_kept() => Assert.Same(Asked, MeasuredLatencies.Of(Asked, [Row("messageSend", 18.52, 18.6)]));

    [Fact]
    public void Has_no_latency_where_none_was_asked_for() =>
        Assert.True(MeasuredLatencies.Of(LatencyProfiles.Named("none"), [Row("messageSend", 0, 3)]).MessageSend.IsZero);

    private static InjectedLatency Row(string operation, double asked, double kept) =>
        new()
        {
            Operation = operation,
            AskedMeanMs = asked,
            MeanMs = kept,
            Count = 1_000_000,
        };
}
