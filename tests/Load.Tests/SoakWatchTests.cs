using Xunit;

namespace EventHubThroughput.Load.Tests;

/// <summary>What a soak is failed for.</summary>
public sealed class SoakWatchTests
{
    [Fact]
    public void Steady_memory_handles_and_progress_pass()
    {
        var (passed, lines) = Judge(sample => (100_000_000 + (sample % 7 * 1_000_000), 130), row => row);

        Assert.True(passed);
        Assert.Equal(3, lines.Count);
        Assert.Equal("progress: in every row", lines[2]);
    }

    [Fact]
    public void Memory_that_grows_only_during_the_start_passes() =>
        Assert.True(Judge(sample => (sample < 10 ? 50_000_000 : 100_000_000, 130), row => row).Passed);

    [Fact]
    public void Memory_that_grows_fails()
    {
        var (passed, lines) = Judge(sample => (100_000_000 + (sample * 1_000_000), 130), row => row);

        Assert.False(passed);
        Assert.EndsWith("growing", lines[0], StringComparison.Ordinal);
        Assert.EndsWith("flat", lines[1], StringComparison.Ordinal);
    }

    [Fact]
    public void Handles_that_grow_fail() => Assert.False(Judge(sample => (100_000_000, 100 + sample), row => row).Passed);

    [Fact]
    public void A_row_without_progress_fails_and_is_named()
    {
        var (passed, lines) = Judge(_ => (100_000_000, 130), row => row < 5 ? row : row - 1);

        Assert.False(passed);
        Assert.Equal("progress: in row 5 nothing was checkpointed", lines[2]);
    }

    [Fact]
    public void A_soak_without_a_row_has_shown_nothing()
    {
        var watch = new SoakWatch();
        watch.Sample(1, 1);

        Assert.False(watch.Judge().Passed);
    }

    // A hundred samples and ten rows, of which something was appended in each.
    private static (bool Passed, IReadOnlyList<string> Lines) Judge(Func<int, (long Resident, int Handles)> sample, Func<int, long> checkpointed)
    {
        var watch = new SoakWatch();
        for (var second = 0; second < 100; second++)
        {
            var (resident, handles) = sample(second);
            watch.Sample(resident, handles);
        }

        for (var row = 1; row <= 10; row++)
        {
            watch.EndRow(("appended", row), ("checkpointed", checkpointed(row)));
        }

        return watch.Judge();
    }
}
