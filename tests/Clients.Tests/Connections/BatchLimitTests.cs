using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Connections;

/// <summary>The largest size of a batch, according to the attach of a service.</summary>
public sealed class BatchLimitTests
{
    public static TheoryData<ulong, object?, long> Answers =>
        new()
        {
            { 262_144, null, 262_144 },
            { 262_144, 1_048_576L, 262_144 },
            { 104_857_600, 1_048_576L, 1_048_576 },
            { 104_857_600, 1_048_576UL, 1_048_576 },
            { 104_857_600, 1_048_576, 1_048_576 },
            { 104_857_600, 0L, 104_857_600 },
            { 104_857_600, -1L, 104_857_600 },
            { 104_857_600, "1048576", 104_857_600 },
            { 0, 1_048_576L, 1_048_576 },
            { 0, 0L, long.MaxValue },
            { ulong.MaxValue, ulong.MaxValue, long.MaxValue },
        };

    [Theory]
    [MemberData(nameof(Answers))]
    public void The_smaller_of_both_limits_applies_and_a_missing_one_limits_nothing(ulong message, object? batch, long limit) =>
        Assert.Equal(limit, SendingLink.GetBatchLimit(message, batch is null ? [] : new AmqpMap { [new AmqpSymbol(AmqpNames.MaxMessageBatchSize)] = batch }));

    [Fact]
    public void A_service_without_properties_has_the_limit_of_a_message() => Assert.Equal(1_000, SendingLink.GetBatchLimit(1_000, null));
}
