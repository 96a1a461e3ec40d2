using Xunit;

namespace EventHubThroughput.AzureProtocol.Tests;

public sealed class EntityAddressTests
{
    [Theory]
    [InlineData("$cbs", EntityAddressKind.ClaimsBasedSecurity, "$cbs")]
    [InlineData("$management", EntityAddressKind.Management, "$management")]
    [InlineData("hub1/$management", EntityAddressKind.Management, "hub1/$management")]
    [InlineData("amqp://127.0.0.1/q1/$management", EntityAddressKind.Management, "q1/$management")]
    [InlineData("hub1", EntityAddressKind.Entity, "hub1")]
    [InlineData("/hub1", EntityAddressKind.Entity, "hub1")]
    [InlineData("sb://127.0.0.1:5680/hub1/", EntityAddressKind.Entity, "hub1")]
    [InlineData("/hub1/partitions/2", EntityAddressKind.Partition, "hub1/Partitions/2")]
    [InlineData("hub1/ConsumerGroups/%24Default/Partitions/1", EntityAddressKind.PartitionReader, "hub1/ConsumerGroups/$Default/Partitions/1")]
    [InlineData("amqps://localhost/hub1/ConsumerGroups/$Default/Partitions/0", EntityAddressKind.PartitionReader, "hub1/ConsumerGroups/$Default/Partitions/0")]
    [InlineData("topic/subscriptions/s", EntityAddressKind.Subscription, "topic/Subscriptions/s")]
    [InlineData("q1/$deadletterqueue", EntityAddressKind.Entity, "q1/$DeadLetterQueue")]
    [InlineData("topic/Subscriptions/s/$DeadLetterQueue", EntityAddressKind.Subscription, "topic/Subscriptions/s/$DeadLetterQueue")]
    [InlineData("topic/Subscriptions/s/$management", EntityAddressKind.Management, "topic/Subscriptions/s/$management")]
    [InlineData("folder/queue", EntityAddressKind.Entity, "folder/queue")]
    public void Normalises_every_form(string address, EntityAddressKind kind, string path)
    {
        var parsed = EntityAddress.Parse(address);
        Assert.NotNull(parsed);
        Assert.Equal(kind, parsed.Kind);
        Assert.Equal(path, parsed.Path);
    }

    [Theory]
    [InlineData("")]
    [InlineData("/")]
    [InlineData("sb://host")]
    [InlineData("hub//Partitions/1")]
    [InlineData("$cbs/$management")]
    [InlineData("hub/Partitions/1/$DeadLetterQueue")]
    public void An_address_of_another_form_is_not_parsed(string address) => Assert.Null(EntityAddress.Parse(address));

    [Fact]
    public void Names_the_parts_of_a_reader()
    {
        var parsed = EntityAddress.Parse(EntityAddress.OfPartitionReader("hub", "group", "3"));
        Assert.Equal(("hub", "group", "3"), (parsed?.Entity, parsed?.ConsumerGroup, parsed?.Partition));
    }
}
