using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Telemetry.Tests;

public sealed class LatencyHistogramTests
{
    // Ticks of 100 ns over the whole range, as many small as large ones.
    private static readonly Gen<TimeSpan> Duration = Gen.Choose(0, 350)
        .SelectMany(power =>
            Gen.Choose(0, 999)
                .Select(part => TimeSpan.FromTicks(Math.Min(LatencyHistogram.Longest.Ticks, (long)(Math.Pow(2, power / 10.0) * (1 + (part / 1000.0))))))
        );

    private static readonly Arbitrary<TimeSpan[]> Durations = Duration.ArrayOf().Where(array => array.Length > 0).ToArbitrary();

    [Fact]
    public void Percentiles_agree_with_the_sorted_samples() =>
        Prop.ForAll(
                Durations,
                Gen.Choose(0, 1000).ToArbitrary(),
                (samples, perMille) =>
                {
                    var histogram = Of(samples);
                    var sorted = samples.Order().ToArray();
                    var rank = Math.Clamp((int)Math.Ceiling(perMille / 1000.0 * sorted.Length), 1, sorted.Length);
                    var expected = sorted[rank - 1];
                    var error = Math.Abs((histogram.ValueAt(perMille / 10.0) - expected).TotalNanoseconds);
                    return error <= Math.Max(512, expected.TotalNanoseconds * 0.001);
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void Count_sum_and_bounds_are_exact() =>
        Prop.ForAll(
                Durations,
                samples =>
                {
                    var histogram = Of(samples);
                    return histogram.Count == samples.Length
                        && histogram.Sum.Ticks == samples.Sum(sample => sample.Ticks)
                        && histogram.Min == samples.Min()
                        && histogram.Max == samples.Max()
                        && histogram.ValueAt(100) == samples.Max();
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void Merging_in_any_order_equals_recording_together() =>
        Prop.ForAll(
                Durations,
                Durations,
                (left, right) =>
                {
                    var together = Of([.. left, .. right]);
                    var forth = Of(left);
                    forth.Add(Of(right));
                    var back = Of(right);
                    back.Add(Of(left));
                    return Describe(together) == Describe(forth) && Describe(together) == Describe(back);
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void Mean_and_standard_deviation_agree_with_the_samples() =>
        Prop.ForAll(
                Durations,
                samples =>
                {
                    var histogram = Of(samples);
                    var mean = samples.Average(sample => sample.TotalNanoseconds);
                    var deviation = Math.Sqrt(samples.Average(sample => Math.Pow(sample.TotalNanoseconds - mean, 2)));
                    return Math.Abs(histogram.Mean.TotalNanoseconds - mean) <= 100
                        && Math.Abs(histogram.StandardDeviation.TotalNanoseconds - deviation) <= 1024 + (samples.Max().TotalNanoseconds * 0.002);
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void Values_beyond_the_range_are_clamped_and_counted()
    {
        var histogram = Of([TimeSpan.FromHours(2), TimeSpan.FromTicks(-1), TimeSpan.FromSeconds(1)]);

        Assert.Equal(3, histogram.Count);
        Assert.Equal(2, histogram.Clamped);
        Assert.Equal(LatencyHistogram.Longest, histogram.Max);
        Assert.Equal(TimeSpan.Zero, histogram.Min);
        Assert.InRange(LatencyHistogram.Longest, TimeSpan.FromHours(1.2), TimeSpan.FromHours(1.25));
    }

    [Fact]
    public void A_percentile_with_fewer_than_ten_above_it_is_none()
    {
        var histogram = Of([.. Enumerable.Range(1, 999).Select(i => TimeSpan.FromMilliseconds(i))]);
        Assert.Null(histogram.Percentile(99));

        histogram.Record(TimeSpan.FromMilliseconds(1000));
        Assert.Equal(990, histogram.Percentile(99)!.Value.TotalMilliseconds, 0.99);
        Assert.Null(histogram.Percentile(99.9));
        Assert.Null(histogram.Percentile(100));
    }

    [Fact]
    public void An_empty_histogram_is_all_zero()
    {
        var histogram = new LatencyHistogram();

        Assert.Equal(TimeSpan.Zero, histogram.Mean + histogram.Min + histogram.Max + histogram.Sum + histogram.StandardDeviation + histogram.ValueAt(50));
        Assert.Null(histogram.Percentile(50));
    }

    [Fact]
    public void Recording_allocates_nothing()
    {
        var histogram = new LatencyHistogram();
        RecordMany(histogram, 1000);

        Assert.Equal(0, Allocations.GetMinimum(() => RecordMany(histogram, 100_000)));
    }

    [Fact]
    public async Task Records_of_several_threads_are_all_counted()
    {
        const int Threads = 4;
        const int Each = 250_000;
        var histogram = new LatencyHistogram();

        await Task.WhenAll(Enumerable.Range(0, Threads).Select(_ => Task.Run(() => RecordMany(histogram, Each), TestContext.Current.CancellationToken)));

        Assert.Equal(Threads * Each, histogram.Count);
        Assert.Equal(Threads * (long)Each * (Each - 1) / 2, histogram.Sum.Ticks);
        Assert.Equal(TimeSpan.FromTicks(Each - 1), histogram.Max);
    }

    private static void RecordMany(LatencyHistogram histogram, int count)
    {
        for (var i = 0; i < count; i++)
        {
            histogram.Record(TimeSpan.FromTicks(i));
        }
    }

    private static LatencyHistogram Of(IEnumerable<TimeSpan> samples)
    {
        var histogram = new LatencyHistogram();
        foreach (var sample in samples)
        {
            histogram.Record(sample);
        }

        return histogram;
    }

    private static string Describe(LatencyHistogram histogram) =>
        string.Join(' ', LatencyHistogram.StandardPercentiles.Select(histogram.ValueAt))
        + $" {histogram.Count} {histogram.Sum} {histogram.Min} {histogram.Max} {histogram.StandardDeviation} {histogram.Clamped}";
}
