using System.Text.Json;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Workload.Tests;

public sealed class SentFiguresTests
{
    [Fact]
    public void Any_report_is_read_as_it_was_written()
    {
        var property = Prop.ForAll<long, NormalFloat, string>(
            (count, rate, name) =>
            {
                var report = Report(rate.Get, count % 2 == 0 ? null : rate.Get) with { Run = name ?? "", Acknowledged = count };
                Assert.Equal(report, SentFigures.Read(report.Write()));
                Assert.DoesNotContain('\n', report.Write());
            }
        );
        Check.One(PropertyCases.Usual, property);
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("achieved 7,321.3 events/s")]
    [InlineData("""{"run":"r"}""")]
    [InlineData("""{"run":"r","hub":"h","intended":1,"attempted":1,"acknowledged":1,"failed":0,"unknown":0,"tookS":1,"achievedPerS":1,"more":1}""")]
    public void Another_line_is_not_read_as_a_report(string line) => Assert.ThrowsAny<JsonException>(() => SentFigures.Read(line));

    [Theory]
    [InlineData(99, false)]
    [InlineData(98.9, true)]
    public void Less_than_99_percent_of_the_rate_that_was_meant_is_short(double achieved, bool isShort) => Assert.Equal(isShort, Report(achieved, 100).IsShort);

    [Fact]
    public void A_report_without_a_schedule_is_never_short_and_names_no_lateness()
    {
        Assert.False(Report(0, null).IsShort);
        Assert.Equal("achieved 7,321.3 events/s", Report(7321.3, null).RateSentence);
    }

    private static SentFigures Report(double achieved, double? intended) =>
        new()
        {
            Run = "r",
            Hub = "hub",
            Intended = 10,
            Attempted = 10,
            Acknowledged = 10,
            Failed = 0,
            Unknown = 0,
            TookS = 1.5,
            AchievedPerS = achieved,
            IntendedPerS = intended,
            MostLateMs = intended is null ? null : 1.25,
        };
}
