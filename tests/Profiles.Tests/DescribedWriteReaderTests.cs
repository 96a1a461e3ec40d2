using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.Profiles.Tests;

public sealed class DescribedWriteReaderTests
{
    [Theory]
    [InlineData("http=40ms")]
    [InlineData("http=40ms/10ms")]
    [InlineData("sql=8ms:concurrency=20")]
    [InlineData("sql=8.5ms/2ms:concurrency=20:quota=500/s")]
    [InlineData("a-2=2s:quota=0.5/s")]
    public void A_write_is_read_and_written_in_the_same_form(string text) =>
        Assert.Equal(text, DescribedWriteReader.Read("--write", [text]).Single().ToString());

    [Fact]
    public void A_write_has_mean_spread_concurrency_and_quota()
    {
        var write = DescribedWriteReader.Read("--write", ["sql=8ms/2ms:quota=500/s:concurrency=20"]).Single();

        Assert.Equal(("sql", 8, 2, 20), (write.Name, write.Law.MeanMilliseconds, write.Law.DeviationMilliseconds, write.Law.Concurrency));
        Assert.Equal(500, write.Law.OperationsPerSecond);
    }

    [Theory]
    [InlineData("http", "'http': not a write, write NAME=40ms")]
    [InlineData("Http=40ms", "'Http=40ms': a name is 1 to 40 lower-case letters")]
    [InlineData("http=0ms", "'http=0ms': mean 0ms out of range, allowed 0.01ms to 10m")]
    [InlineData("http=-4ms", "'http=-4ms': mean -4ms out of range")]
    [InlineData("http=11m", "'http=11m': mean 11m out of range")]
    [InlineData("http=40", "'http=40': mean '40' is missing unit")]
    [InlineData("http=40ms/0ms", "'http=40ms/0ms': spread 0ms out of range")]
    [InlineData("http=40ms/1ms/2ms", "more than a mean and a spread")]
    [InlineData("http=40ms:places=2", "'places=2' is unknown, allowed concurrency=N and quota=N/s")]
    [InlineData("http=40ms:concurrency=0", "concurrency '0' is not a whole number of 1 to 100000")]
    [InlineData("http=40ms:concurrency=2:concurrency=3", "concurrency is given twice")]
    [InlineData("http=40ms:quota=0/s", "quota '0/s' is not a rate of 0.001/s to 1000000000/s")]
    [InlineData("http=40ms:quota=500", "quota '500' is not a rate")]
    [InlineData("http=40ms:quota=NaN/s", "quota 'NaN/s' is not a rate")]
    public void A_wrong_write_is_refused_with_what_is_allowed(string text, string problem)
    {
        var wrong = Assert.Throws<UsageException>(() => DescribedWriteReader.Read("--write", [text]));

        Assert.StartsWith("--write '", Assert.Single(wrong.Problems), StringComparison.Ordinal);
        Assert.Contains(problem, wrong.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_problem_of_the_writes_is_named()
    {
        string[] texts = ["a=1ms", "a=2ms", "b=0ms", .. Enumerable.Range(1, 6).Select(static number => $"c{number}=1ms")];

        var wrong = Assert.Throws<UsageException>(() => DescribedWriteReader.Read("--write", texts));

        Assert.Equal(
            [
                "--write 'a': given twice, allowed is one of each name",
                "--write 'b=0ms': mean 0ms out of range, allowed 0.01ms to 10m",
                "--write: given 9 times, allowed 1 to 8",
            ],
            wrong.Problems
        );
    }
}
