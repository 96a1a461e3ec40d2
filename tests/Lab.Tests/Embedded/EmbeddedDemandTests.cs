using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Embedded;

public sealed class EmbeddedDemandTests
{
    private const long Gibibyte = 1024L * 1024 * 1024;

    private static readonly LoadOptions Million = new(1_000_000, Partitions: 1, "none", BodySizes.Of([(1_024, 1)]), Keys: 0, Keep: null);

    [Fact]
    public void A_million_events_of_a_kibibyte_fit_into_two_gibibytes_of_memory_and_eight_of_disk()
    {
        var demand = EmbeddedDemand.Of(Million);
        Assert.InRange(demand.MemoryMebibytes, 1_024, 2_048);
        Assert.Null(demand.GetProblem(1_000_000, 2 * Gibibyte, 8 * Gibibyte, "/tmp"));
    }

    [Fact]
    public void Missing_memory_or_disk_space_is_reported_with_the_available_amount()
    {
        var demand = EmbeddedDemand.Of(Million with { Events = 10_000_000 });
        Assert.Equal(
            "--events 10000000: needs about 16.8 GiB of memory, this machine has 8.0 GiB",
            demand.GetProblem(10_000_000, 8 * Gibibyte, 1_000 * Gibibyte, "/tmp")
        );
        Assert.Equal(
            "--events 10000000: needs about 71.5 GiB in /tmp, 500 MiB are free",
            demand.GetProblem(10_000_000, 64 * Gibibyte, 500 * Gibibyte / 1024, "/tmp")
        );
    }

    [Fact]
    public void A_small_load_is_refused_for_want_of_disk_alone()
    {
        var demand = EmbeddedDemand.Of(Million with { Events = 600 });
        Assert.Equal(1_024, demand.MemoryMebibytes);
        Assert.Null(demand.GetProblem(600, Gibibyte / 4, Gibibyte, "/tmp"));
        Assert.NotNull(demand.GetProblem(600, Gibibyte / 4, 1_000, "/tmp"));
    }

    [Fact]
    public void A_load_without_a_known_end_asks_for_the_least() => Assert.Equal(new EmbeddedDemand(1_024, 0), EmbeddedDemand.Of(Million with { Rate = "100" }));
}
