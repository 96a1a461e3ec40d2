using System.Globalization;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

/// <summary>Links of hubs that come and go, and what no producer or consumer is let in with.</summary>
public sealed class HubLifeTests : RunningEmulator
{
    [Fact]
    public async Task Deleting_a_hub_detaches_its_links_as_not_found()
    {
        Host.Hubs.Create(new HubSettings("short") { Partitions = 1 });
        await using var peer = await AuthorizedAsync("short");
        var sender = await peer.SenderAsync("short");
        var receiver = await peer.ReceiverAsync("short/ConsumerGroups/$Default/Partitions/0", 10);
        Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message("a"), 0, Cancellation));
        await receiver.ReceiveAsync(Cancellation);
        Assert.True(Host.Hubs.Delete("short"));
        foreach (var link in (AmqpLink[])[sender, receiver])
        {
            var error = await link.Completion.WaitAsync(Cancellation);
            Assert.Equal(ErrorCondition.NotFound, error!.Condition.Value);
            Assert.Contains("The messaging entity 'short' could not be found", error.Description, StringComparison.Ordinal);
        }

        Assert.Equal(ErrorCondition.NotFound, (await RefusalAsync(() => peer.SenderAsync("short"))).Condition.Value);
    }

    [Fact]
    public async Task A_consumer_group_that_is_added_can_be_read_with()
    {
        await using var peer = await AuthorizedAsync("hub");
        Assert.Equal(ErrorCondition.NotFound, (await RefusalAsync(() => peer.ReceiverAsync("hub/ConsumerGroups/late/Partitions/0", 1))).Condition.Value);
        Host.Hub.CreateGroup("late");
        Assert.True((await peer.ReceiverAsync("hub/ConsumerGroups/late/Partitions/0", 1)).IsOpen);
    }

    [Fact]
    public async Task An_idempotent_producer_is_refused_and_georeplication_ignored()
    {
        await using var peer = await AuthorizedAsync("hub");
        var session = await peer.SessionAsync();
        var attach = new Attach
        {
            Name = "p",
            Source = new Source(),
            Target = new Target { Address = "hub" },
        };
        var refusal = await RefusalAsync(() =>
            session.AttachSenderAsync(attach with { DesiredCapabilities = [new AmqpSymbol(AmqpNames.IdempotentProducerCapability)] }, Cancellation)
        );
        Assert.Equal(ErrorCondition.NotImplemented, refusal.Condition.Value);
        await using var plain = await session.AttachSenderAsync(
            attach with
            {
                DesiredCapabilities = [new AmqpSymbol(AmqpNames.GeoReplicationCapability)],
            },
            Cancellation
        );
        Assert.True(plain.IsOpen);
    }

    [Fact]
    public async Task A_publishers_address_is_refused_by_name()
    {
        await using var peer = await AuthorizedAsync("hub");
        Assert.Equal(ErrorCondition.NotImplemented, (await RefusalAsync(() => peer.SenderAsync("hub/Publishers/x"))).Condition.Value);
    }

    [Fact]
    public async Task A_reader_that_is_cut_off_again_and_again_resumes_without_gap_or_repeat()
    {
        const int Count = 2_000;
        const string Address = "hub/ConsumerGroups/$Default/Partitions/3";
        var random = new Random(7);
        await using var producer = await AuthorizedAsync("hub");
        var sending = SendAsync(await producer.SenderAsync("hub/Partitions/3"), Count);
        var seen = new List<long>();
        string? offset = null;
        while (seen.Count < Count)
        {
            await using var peer = await AuthorizedAsync("hub");

            // Clients resume by number or by offset, after the last event or at the next one.
            var filter =
                seen.Count == 0
                    ? "amqp.annotation.x-opt-offset > '-1'"
                    : random.Next(3) switch
                    {
                        0 => $"amqp.annotation.x-opt-sequence-number > '{seen[^1]}'",
                        1 => $"amqp.annotation.x-opt-offset > '{offset}'",
                        _ => string.Create(CultureInfo.InvariantCulture, $"amqp.annotation.x-opt-sequence-number >= {seen[^1] + 1}"),
                    };
            var receiver = await peer.ReceiverAsync(
                Address,
                (uint)random.Next(1, 400),
                filter: new AmqpMap { { new AmqpSymbol(AmqpNames.SelectorFilter), new AmqpDescribed(AmqpNames.SelectorFilterCodeDotNet, filter) } }
            );
            for (var left = Math.Min(random.Next(1, 150), Math.Min((int)receiver.Credit + 1, Count - seen.Count)); left > 0; left--)
            {
                var message = AmqpMessage.Decode((await receiver.ReceiveAsync(Cancellation)).Payload);
                seen.Add((long)message.MessageAnnotations!.Find(AmqpNames.SequenceNumber)!);
                offset = (string)message.MessageAnnotations.Find(AmqpNames.Offset)!;
                if (receiver.Credit == 0)
                {
                    receiver.AddCredit((uint)random.Next(1, 100));
                }
            }

            if (random.Next(2) == 0)
            {
                peer.Connection.Abort(null);
            }
        }

        await sending;
        Assert.Equal(Enumerable.Range(0, Count).Select(static number => (long)number), seen);
    }

    private static async Task SendAsync(AmqpSender sender, int count)
    {
        for (var sent = 0; sent < count; sent += 5)
        {
            var batch = Encoded.Batch(null, [.. Enumerable.Range(sent, 5).Select(static number => Encoded.Message($"{number}"))]);
            Assert.IsType<Accepted>(await sender.SendAsync(batch, AmqpNames.BatchFormat, Cancellation));
        }
    }

    private static async Task<AmqpError> RefusalAsync(Func<Task> attach) => (await Assert.ThrowsAsync<AmqpException>(attach)).Error;

    private async Task<Peer> AuthorizedAsync(string hub)
    {
        var peer = await Peer.ConnectAsync(EventHubs);
        Assert.Equal(202, await peer.PutTokenAsync(hub));
        return peer;
    }
}
