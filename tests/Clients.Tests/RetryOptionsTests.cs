using Xunit;

namespace EventHubThroughput.Clients.Tests;

public sealed class RetryOptionsTests
{
    [Theory]
    [InlineData(0, 100)]
    [InlineData(1, 200)]
    [InlineData(5, 3200)]
    [InlineData(6, 5000)]
    [InlineData(1000, 5000)]
    public void Doubles_the_limit_of_the_wait_up_to_the_maximum(int retry, int milliseconds)
    {
        var options = new RetryOptions();
        Assert.Equal(TimeSpan.Zero, options.DelayOf(retry, 0));
        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), options.DelayOf(retry, 1));
        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds / 2.0), options.DelayOf(retry, 0.5));
    }
}
