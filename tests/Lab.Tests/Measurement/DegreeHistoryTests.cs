using EventHubThroughput.Lab.Measurement;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Measurement;

public sealed class DegreeHistoryTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(1000)]
    [InlineData(1001)]
    public void The_history_keeps_the_first_change_and_evenly_spaced_others_up_to_its_limit(int count)
    {
        var history = new DegreeHistory(8);

        for (var number = 0; number < count; number++)
        {
            history.Add(new DegreeChange(TimeSpan.FromSeconds(number), "0", number));
        }

        var kept = history.Changes.Select(static change => change.Degree).ToArray();
        var stride = kept.Length > 1 ? kept[1] - kept[0] : 1;
        Assert.InRange(kept.Length, Math.Min(count, 5), 8);
        Assert.Equal(Enumerable.Range(0, kept.Length).Select(place => place * stride), kept);
        Assert.InRange(count, 0, kept.LastOrDefault() + (2 * stride));
    }
}
