using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Emulated;

/// <summary>The service's clock decides when a token has expired. A client with a different clock puts a new token and continues.</summary>
public sealed class ExpiredTokenTests : EmulatedTests
{
    [Fact(Timeout = Limit)]
    public async Task A_reader_continues_without_a_gap_after_its_token_expired()
    {
        await using var services = await EmulatedServices.StartAsync(Token, fault: Expired(FaultPoint.EventDeliver) with { Nth = 50 });
        var clients = services.CreateClients();
        await SendAsync(clients, "0", 400);
        List<long> numbers = [];
        await foreach (var batch in clients.ReadPartitionAsync("0", -1, 399, Token))
        {
            numbers.AddRange(batch.Events.Select(static one => one.SequenceNumber));
        }

        Assert.Equal(Enumerable.Range(0, 400).Select(static number => (long)number), numbers);
    }

    [Fact(Timeout = Limit)]
    public async Task A_sender_loses_no_message_after_its_token_expired()
    {
        await using var services = await EmulatedServices.StartAsync(Token, fault: Expired(FaultPoint.MessageSend) with { Every = 7 });
        var clients = services.CreateClients();
        await using var sender = clients.CreateMessageSender("queue");
        for (var number = 0; number < 30; number++)
        {
            await sender.SendAsync(new OutgoingMessage { MessageId = $"{number}", Body = new byte[] { 1 } }, Token);
        }

        await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions());
        var seen = await receiver.PeekAsync(0, 100, Token);
        Assert.Equal(Enumerable.Range(0, 30).Select(static number => $"{number}"), seen.Select(static message => message.MessageId).Distinct());
    }

    private static FaultRule Expired(FaultPoint point) =>
        new()
        {
            Name = "expired",
            Points = [point],
            Action = FaultAction.Detach,
            Reason = FaultReason.Named("expired"),
        };
}
