using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Limits;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>What an access probe finds, for each family of clients.</summary>
/// <param name="family">The family.</param>
public abstract class AccessProbeContract(ClientFamily family) : EmulatedTests
{
    [Fact(Timeout = Limit)]
    public async Task A_partition_can_be_opened_whether_it_has_events_or_not()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        await SendAsync(services.CreateClients(), "1", 3);
        var probe = Connect(services);

        await probe.OpenPartitionAsync("0", Token);
        await probe.OpenPartitionAsync("1", Token);
    }

    [Theory(Timeout = Limit)]
    [InlineData("unauthorized", FailureKind.Unauthorized)]
    [InlineData("missing", FailureKind.NotFound)]
    [InlineData("stolen", FailureKind.OwnershipLost)]
    public async Task A_link_to_a_partition_that_is_refused_fails_with_the_kind_of_the_reason(string reason, FailureKind kind)
    {
        await using var services = await EmulatedServices.StartAsync(Token, fault: Refused(reason) with { Partition = "2" });
        var probe = Connect(services);

        await probe.OpenPartitionAsync("1", Token);
        var failure = await Assert.ThrowsAsync<MessagingException>(() => probe.OpenPartitionAsync("2", Token));

        Assert.Equal(kind, failure.Kind);
    }

    [Fact(Timeout = Limit)]
    public async Task A_consumer_group_that_does_not_exist_is_not_found()
    {
        await using var services = await EmulatedServices.StartAsync(Token);
        var probe = (IAccessProbe)services.Connect(family, services.Settings with { ConsumerGroup = "nowhere" });

        var failure = await Assert.ThrowsAsync<MessagingException>(() => probe.OpenPartitionAsync("0", Token));

        Assert.Equal(FailureKind.NotFound, failure.Kind);
    }

    [Fact(Timeout = Limit)]
    public async Task A_sender_is_opened_without_a_message_and_its_limit_is_returned()
    {
        await using var services = await EmulatedServices.StartAsync(Token, limits: new EmulatorLimits { BatchBytes = 10_000 });

        Assert.Equal(10_000, await Connect(services).OpenSenderAsync("queue", Token));

        await using var receiver = services.CreateClients().CreateMessageReceiver("queue", new MessageReceiverOptions());
        Assert.Empty(await receiver.PeekAsync(0, 1, Token));
    }

    [Theory(Timeout = Limit)]
    [InlineData("unauthorized", FailureKind.Unauthorized)]
    [InlineData("missing", FailureKind.NotFound)]
    [InlineData("disabled", FailureKind.Unavailable)]
    public async Task A_sender_that_is_refused_fails_with_the_kind_of_the_reason(string reason, FailureKind kind)
    {
        await using var services = await EmulatedServices.StartAsync(Token, fault: Refused(reason) with { Service = "servicebus", Entity = "queue" });

        var failure = await Assert.ThrowsAsync<MessagingException>(() => Connect(services).OpenSenderAsync("queue", Token));

        Assert.Equal(kind, failure.Kind);
    }

    [Theory(Timeout = Limit)]
    [InlineData(ProbedService.EventHubs)]
    [InlineData(ProbedService.ServiceBus)]
    [InlineData(ProbedService.Storage)]
    public async Task No_token_is_requested_for_a_service_with_a_key(ProbedService service)
    {
        await using var services = await EmulatedServices.StartAsync(Token);

        Assert.Null(await Connect(services).RequestTokenAsync(service, Token));
    }

    private IAccessProbe Connect(EmulatedServices services) => (IAccessProbe)services.Connect(family, retry: RetryOptions.Once);

    private static FaultRule Refused(string reason) =>
        new()
        {
            Name = "refused",
            Points = [FaultPoint.Attach],
            Action = FaultAction.Refuse,
            Reason = FaultReason.Named(reason),
        };
}
