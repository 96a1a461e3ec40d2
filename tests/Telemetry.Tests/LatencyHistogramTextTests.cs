using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Telemetry.Tests;

public sealed class LatencyHistogramTextTests
{
    // From below zero to beyond the longest, as many small as large ones.
    private static readonly Gen<TimeSpan> Duration = Gen.Choose(0, 370)
        .SelectMany(power => Gen.Choose(-20, 999).Select(part => TimeSpan.FromTicks((long)(Math.Pow(2, power / 10.0) * (part / 1000.0)))));

    private static readonly Arbitrary<TimeSpan[]> Durations = Duration.ArrayOf().ToArbitrary();

    [Fact]
    public void A_parsed_histogram_equals_the_recorded_one() =>
        Prop.ForAll(
                Durations,
                samples =>
                {
                    var histogram = Of(samples);
                    var again = LatencyHistogram.Parse(histogram.ToText());
                    return Describe(again) == Describe(histogram) && again.ToText() == histogram.ToText();
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void The_text_of_merged_ones_is_that_of_all_recorded_together() =>
        Prop.ForAll(
                Durations,
                Durations,
                (left, right) =>
                {
                    var merged = LatencyHistogram.Parse(Of(left).ToText());
                    merged.Add(LatencyHistogram.Parse(Of(right).ToText()));
                    return merged.ToText() == Of([.. left, .. right]).ToText();
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void A_histogram_that_was_read_continues_to_record() =>
        Prop.ForAll(
                Durations,
                Durations,
                (earlier, later) =>
                {
                    var histogram = LatencyHistogram.Parse(Of(earlier).ToText());
                    foreach (var sample in later)
                    {
                        histogram.Record(sample);
                    }

                    return histogram.ToText() == Of([.. earlier, .. later]).ToText();
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void A_text_cut_anywhere_is_refused() =>
        Prop.ForAll(
                Durations,
                Gen.Choose(0, 999).ToArbitrary(),
                (samples, place) =>
                {
                    var bytes = Convert.FromBase64String(Of(samples).ToText());
                    return IsRefused(Convert.ToBase64String(bytes[..(bytes.Length * place / 1000)]));
                }
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void A_text_with_a_changed_byte_is_refused_or_is_that_of_another_whole_histogram() =>
        Prop.ForAll(
                Durations,
                Gen.Choose(0, 999).ToArbitrary(),
                Gen.Choose(1, 255).ToArbitrary(),
                (samples, place, change) =>
                {
                    var bytes = Convert.FromBase64String(Of(samples).ToText());
                    bytes[bytes.Length * place / 1000] ^= (byte)change;
                    var text = Convert.ToBase64String(bytes);
                    return IsRefused(text) || LatencyHistogram.Parse(text).ToText() == text;
                }
            )
            .Check(PropertyCases.Usual);

    [Theory]
    [InlineData("", "it is empty")]
    [InlineData("no histogram", "Base64")]
    [InlineData("AgAAAAAAAA==", "version 2")]
    [InlineData("AQAAAAAA", "too early")]
    [InlineData("AQAAAAAAAAA=", "something follows")]
    [InlineData("AQAKAAAAAA==", "do not add up")]
    [InlineData("AQEBAQEEAgIA", "sum")]
    [InlineData("AQEJAQEEBAQA", "outer buckets")]
    [InlineData("AQCAAAAAAAA=", "shortest")]
    [InlineData(" AQAAAAAAAA==", "shortest")]
    public void A_text_that_is_not_a_histogram_is_refused_with_the_reason(string text, string reason) =>
        Assert.Contains(reason, Assert.Throws<FormatException>(() => LatencyHistogram.Parse(text)).Message, StringComparison.Ordinal);

    // Readers of kept results rely on it: version 1. 2 buckets, of place 0 with 1 and of place 195 with 2. 3 of together 200,100 ns, from 100 to
    // 100,000. None clamped.
    [Fact]
    public void The_form_is_the_documented_one()
    {
        var histogram = Of([TimeSpan.FromTicks(1), TimeSpan.FromMicroseconds(100), TimeSpan.FromMicroseconds(100)]);

        Assert.Equal([1, 2, 1, 1, 0xC3, 1, 2, 3, 0xA4, 0x9B, 0x0C, 100, 0xA0, 0x8D, 6, 0], Convert.FromBase64String(histogram.ToText()));
    }

    [Fact]
    public void A_run_of_ten_thousand_fits_in_a_few_kilobytes()
    {
        var random = new Random(1);
        var histogram = Of(Enumerable.Range(0, 10_000).Select(_ => TimeSpan.FromMilliseconds(10 + (20 * random.NextDouble()))));

        Assert.InRange(histogram.ToText().Length, 1_000, 6_000);
    }

    private static bool IsRefused(string text)
    {
        try
        {
            LatencyHistogram.Parse(text);
            return false;
        }
        catch (FormatException)
        {
            return true;
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
