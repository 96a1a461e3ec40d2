using Xunit;

namespace EventHubThroughput.AzureProtocol.Tests;

public sealed class PartitionKeyHashTests
{
    [Theory]
    [InlineData("a", -16220, 0, 28)]
    [InlineData("key-A", -18472, 0, 8)]
    [InlineData("key-B", -30605, 1, 13)]
    [InlineData("alphabet", -23478, 2, 22)]
    [InlineData("TeamMLB", 18697, 1, 9)]
    [InlineData("order-42", -20819, 3, 19)]
    [InlineData("ünïcödé", -539, 3, 27)]
    [InlineData("aaaaaaaaaaaa", 26264, 0, 24)]
    [InlineData("aaaaaaaaaaaaa", -17452, 0, 12)]
    [InlineData("partition-key-longer-than-twelve", -14228, 0, 20)]
    [InlineData("", 0, 0, 0)]
    public void Hashes_as_the_service_does(string key, int hash, int ofFour, int ofThirtyTwo)
    {
        Assert.Equal(hash, PartitionKeyHash.Hash(key));
        Assert.Equal(ofFour, PartitionKeyHash.PartitionOf(key, 4));
        Assert.Equal(ofThirtyTwo, PartitionKeyHash.PartitionOf(key, 32));
    }
}
