using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>Any message that one family sends is received unchanged by another.</summary>
public sealed class MessageRoundTripTests : EmulatedTests
{
    private const int LargestMessage = 262_144;
    private const int MostMessages = 8;

    private static readonly TimeSpan Wait = TimeSpan.FromSeconds(30);

    private static readonly Gen<SentMessage> Drawn =
        from id in PlainValues.Text(1, 128)
        from body in Gen.Frequency((4, Data()), (2, Values()), (2, Sequences()))
        from contentType in Gen.Elements(null, "application/json", new string('x', 128))
        from properties in PlainValues.Properties
        select new SentMessage(id, body.Kind, body.Bytes, contentType, properties);

    private static readonly Arbitrary<SentMessage[]> Cases = Arb.From(Gen.Choose(1, MostMessages).SelectMany(static count => Drawn.ArrayOf(count)), Smaller);

    [Theory(Timeout = Limit)]
    [MemberData(nameof(EventRoundTripTests.Directions), MemberType = typeof(EventRoundTripTests))]
    public async Task Messages_arrive_with_their_bodies_of_any_kind_properties_ids_and_content_types(string sender, string receiver)
    {
        await using var trip = await Trip.StartAsync(sender, receiver);
        await Task.Run(() => Prop.ForAll(Cases, trip.CheckAsync).Check(PropertyCases.Times(0.3)), Token);
    }

    [Theory(Timeout = Limit)]
    [MemberData(nameof(EventRoundTripTests.Directions), MemberType = typeof(EventRoundTripTests))]
    public async Task Bodies_at_the_edges_of_their_sizes_arrive_and_a_larger_one_is_refused(string sender, string receiver)
    {
        await using var trip = await Trip.StartAsync(sender, receiver);
        var largest = await trip.LargestBodyAsync();
        Assert.InRange(largest, LargestMessage - 1_024, LargestMessage);

        foreach (var size in (int[])[0, 1, 255, 256, largest - 1, largest])
        {
            await trip.CheckAsync([SentMessage.Of(size)]);
        }

        Assert.False(await trip.FitsAsync(largest + 1));
    }

    private static Gen<(EventBodyKind Kind, byte[] Bytes)> Data() =>
        from size in Gen.OneOf(Gen.Elements(0, 1, 255, 256), Gen.Choose(0, 20_000))
        select (EventBodyKind.Data, SentMessage.Of(size).Body);

    // What the packages send as another value, or not at all, is refused: see OfficialMessageTests.
    private static Gen<(EventBodyKind Kind, byte[] Bytes)> Values() =>
        from value in Gen.OneOf(PlainValues.Any.Where(IsSentAsItIs).Select(AsAmqp), Items().Select(static items => (object?)items))
        select (EventBodyKind.Value, Encode(value));

    private static Gen<(EventBodyKind Kind, byte[] Bytes)> Sequences() =>
        from count in Gen.Choose(1, 2)
        from sections in Items().ArrayOf(count)
        select (
            EventBodyKind.Sequence,
            new AmqpMessage { Body = MessageBody.OfSequence(sections) }
                .Encode()
                .ToArray()
        );

    private static Gen<AmqpList> Items() =>
        from count in Gen.Choose(1, 4)
        from items in PlainValues.Any.Where(static one => one is not (null or decimal or TimeSpan or DateTimeOffset or Uri)).Select(AsAmqp).ArrayOf(count)
        select new AmqpList(items);

    private static bool IsSentAsItIs(object? value) =>
        value is not (null or decimal) && (value is not Uri { IsAbsoluteUri: true } address || address.AbsoluteUri == address.OriginalString);

    private static object? AsAmqp(object? value) => EncodedProperties.Decode(PlainProperties.Encode([new("value", value)]))["value"];

    private static byte[] Encode(object? value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        var writer = new AmqpWriter(buffer);
        writer.WriteValue(value);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }

    private static IEnumerable<SentMessage[]> Smaller(SentMessage[] messages)
    {
        for (var index = 0; index < messages.Length && messages.Length > 1; index++)
        {
            yield return [.. messages[..index], .. messages[(index + 1)..]];
        }

        for (var index = 0; index < messages.Length; index++)
        {
            foreach (var smaller in messages[index].Smaller())
            {
                yield return [.. messages[..index], smaller, .. messages[(index + 1)..]];
            }
        }
    }

    private sealed record SentMessage(string Id, EventBodyKind Kind, byte[] Body, string? ContentType, IReadOnlyDictionary<string, object?> Properties)
    {
        public static SentMessage Of(int size) =>
            new("id", EventBodyKind.Data, [.. Enumerable.Range(7, size).Select(static value => (byte)(value * 31))], null, Nothing());

        public override string ToString() => Describe(Id, ContentType, Kind, Body, Properties);

        public static string Describe(
            string id,
            string? contentType,
            EventBodyKind kind,
            ReadOnlyMemory<byte> body,
            IEnumerable<KeyValuePair<string, object?>> properties
        ) =>
            $"id '{id}', content type {contentType ?? "-"}, {(kind == EventBodyKind.Data ? PlainValues.Describe(kind, body) : $"{kind} {Convert.ToHexString(body.Span)}")}, {PlainValues.Describe(properties)}";

        public OutgoingMessage ToOutgoing() =>
            new()
            {
                MessageId = Id,
                Body = Body,
                BodyKind = Kind,
                ContentType = ContentType,
                EncodedProperties = PlainProperties.Encode(Properties),
            };

        public IEnumerable<SentMessage> Smaller()
        {
            if (Kind != EventBodyKind.Data || Body.Length > 0)
            {
                yield return this with
                {
                    Kind = EventBodyKind.Data,
                    Body = [],
                };
            }

            if (Id.Length > 1)
            {
                yield return this with
                {
                    Id = "i",
                };
            }

            if (ContentType is not null)
            {
                yield return this with
                {
                    ContentType = null,
                };
            }

            foreach (var name in Properties.Keys)
            {
                yield return this with
                {
                    Properties = Properties.Where(one => one.Key != name).ToDictionary(StringComparer.Ordinal),
                };
            }
        }

        private static Dictionary<string, object?> Nothing() => new(StringComparer.Ordinal);
    }

    /// <summary>A sender and a receiver at the two ends of a queue, which stay for all cases.</summary>
    private sealed class Trip(EmulatedServices services, IMessageSender sender, IMessageReceiver receiver) : IAsyncDisposable
    {
        public static async Task<Trip> StartAsync(string sender, string receiver)
        {
            var services = await EmulatedServices.StartAsync(Token);
            return new Trip(
                services,
                services.Connect(GetFamily(sender)).CreateMessageSender("queue"),
                services.Connect(GetFamily(receiver)).CreateMessageReceiver("queue", new MessageReceiverOptions { ReceiveAndDelete = true })
            );
        }

        public async Task CheckAsync(SentMessage[] messages)
        {
            await sender.SendBatchAsync([.. messages.Select(static one => one.ToOutgoing())], Token);
            Assert.Equal(messages.Select(static one => one.ToString()), (await ReceiveAsync(messages.Length)).Select(Describe));
        }

        // What was sent is taken out again.
        public async Task<bool> FitsAsync(int size)
        {
            try
            {
                await sender.SendAsync(SentMessage.Of(size).ToOutgoing(), Token);
            }
            catch (MessagingException refused) when (refused.Kind == FailureKind.TooLarge)
            {
                return false;
            }

            await ReceiveAsync(1);
            return true;
        }

        public async Task<int> LargestBodyAsync()
        {
            var (fits, exceeds) = (LargestMessage - 1_024, LargestMessage + 1);
            while (exceeds - fits > 1)
            {
                var middle = (fits + exceeds) / 2;
                (fits, exceeds) = await FitsAsync(middle) ? (middle, exceeds) : (fits, middle);
            }

            return fits;
        }

        public async ValueTask DisposeAsync()
        {
            await receiver.DisposeAsync();
            await sender.DisposeAsync();
            await services.DisposeAsync();
        }

        private async Task<List<ReceivedMessage>> ReceiveAsync(int count)
        {
            List<ReceivedMessage> received = [];
            while (received.Count < count)
            {
                received.AddRange(await receiver.ReceiveAsync(count - received.Count, Wait, Token));
            }

            return received;
        }

        private static string Describe(ReceivedMessage one) =>
            SentMessage.Describe(one.MessageId, one.ContentType, one.BodyKind, one.Body, PlainProperties.Decode(one.EncodedProperties));

        private static ClientFamily GetFamily(string name) => name == ClientFamily.Official ? OfficialClients.Family : ClientFamily.BuiltIn;
    }
}
