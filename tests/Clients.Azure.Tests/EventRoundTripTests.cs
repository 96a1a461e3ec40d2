using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>Any event that one family sends is received unchanged by another.</summary>
public sealed class EventRoundTripTests : EmulatedTests
{
    private const int LargestMessage = 1_048_576;
    private const int MostEvents = 12;

    private static readonly Gen<SentEvent> Drawn =
        from key in Gen.OneOf(Gen.Constant<string?>(null), PlainValues.Text(1, 128).Select(static text => (string?)text))
        from size in Gen.OneOf(Gen.Elements(0, 1, 255, 256), Gen.Choose(0, 2_000), Gen.Choose(0, 40_000))
        from seed in Gen.Choose(0, 255)
        from contentType in Gen.Elements(null, "application/json", "text/plain; charset=utf-8", new string('x', 128))
        from properties in PlainValues.Properties
        select new SentEvent(key, size, seed, contentType, properties);

    private static readonly Arbitrary<SentEvent[]> Cases = Arb.From(Gen.Choose(1, MostEvents).SelectMany(static count => Drawn.ArrayOf(count)), Smaller);

    public static TheoryData<string, string> Directions() =>
        new()
        {
            { ClientFamily.Official, ClientFamily.BuiltIn.Name },
            { ClientFamily.BuiltIn.Name, ClientFamily.Official },
            { ClientFamily.Official, ClientFamily.Official },
        };

    [Theory(Timeout = Limit)]
    [MemberData(nameof(Directions))]
    public async Task Events_arrive_with_their_bodies_properties_keys_and_content_types(string sender, string receiver)
    {
        await using var trip = await Trip.StartAsync(sender, receiver);
        await Task.Run(() => Prop.ForAll(Cases, trip.CheckAsync).Check(PropertyCases.Times(0.3)), Token);
    }

    [Theory(Timeout = Limit)]
    [MemberData(nameof(Directions))]
    public async Task Bodies_at_the_edges_of_their_sizes_arrive_and_a_larger_one_is_refused(string sender, string receiver)
    {
        await using var trip = await Trip.StartAsync(sender, receiver);
        var largest = await trip.LargestBodyAsync();
        Assert.InRange(largest, LargestMessage - 1_024, LargestMessage);

        await trip.CheckAsync([.. Array.ConvertAll([0, 1, 255, 256, largest - 1, largest], static size => SentEvent.Of(size))]);

        Assert.False(await trip.FitsAsync(largest + 1));
    }

    // Without one of the events, and each event with less of everything.
    private static IEnumerable<SentEvent[]> Smaller(SentEvent[] events)
    {
        for (var index = 0; index < events.Length && events.Length > 1; index++)
        {
            yield return [.. events[..index], .. events[(index + 1)..]];
        }

        for (var index = 0; index < events.Length; index++)
        {
            foreach (var smaller in events[index].Smaller())
            {
                yield return [.. events[..index], smaller, .. events[(index + 1)..]];
            }
        }
    }

    internal sealed record SentEvent(string? Key, int Size, int Seed, string? ContentType, IReadOnlyDictionary<string, object?> Properties)
    {
        public byte[] Body => [.. Enumerable.Range(Seed, Size).Select(static value => (byte)(value * 31))];

        public static SentEvent Of(int size) => new(null, size, 7, null, new Dictionary<string, object?>(StringComparer.Ordinal));

        // A DateTimeOffset travels as a timestamp, whose unit is a millisecond, in both families.
        public override string ToString() =>
            Describe(
                Key,
                ContentType,
                EventBodyKind.Data,
                Body,
                Properties.Select(static one => new KeyValuePair<string, object?>(one.Key, one.Value is DateTimeOffset time ? Milliseconds(time) : one.Value))
            );

        public static string Describe(
            string? key,
            string? contentType,
            EventBodyKind kind,
            ReadOnlyMemory<byte> body,
            IEnumerable<KeyValuePair<string, object?>> properties
        ) => $"key {key ?? "-"}, content type {contentType ?? "-"}, {PlainValues.Describe(kind, body)}, {PlainValues.Describe(properties)}";

        /// <summary>As a family takes it: the built-in one has no plain form of some types.</summary>
        public OutgoingEvent ToOutgoing(string family) =>
            new()
            {
                Body = Body,
                ContentType = ContentType,
                Properties = Properties.ToDictionary(
                    static one => one.Key,
                    one => family == ClientFamily.Official || one.Value is DateTimeOffset ? one.Value : AsAmqp(one),
                    StringComparer.Ordinal
                ),
            };

        public IEnumerable<SentEvent> Smaller()
        {
            if (Size > 0)
            {
                yield return this with
                {
                    Size = 0,
                };
                yield return this with
                {
                    Size = Size / 2,
                };
            }

            if (Key is not null)
            {
                yield return this with
                {
                    Key = null,
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

        private static DateTime Milliseconds(DateTimeOffset time) => DateTimeOffset.FromUnixTimeMilliseconds(time.ToUnixTimeMilliseconds()).UtcDateTime;

        private static object? AsAmqp(KeyValuePair<string, object?> property) => EncodedProperties.Decode(PlainProperties.Encode([property]))[property.Key];
    }

    /// <summary>A writer and a processor at the two ends of a hub, which stay for all cases.</summary>
    private sealed class Trip(EmulatedServices services, string sender, IEventHubWriter writer, RecordingPartitions recorder, Running running)
        : IAsyncDisposable
    {
        private int received;

        public static async Task<Trip> StartAsync(string sender, string receiver)
        {
            var services = await EmulatedServices.StartAsync(Token, partitions: 1);
            var recorder = new RecordingPartitions();
            var running = Running.Start(services.Connect(GetFamily(receiver)).CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
            return new Trip(services, sender, services.Connect(GetFamily(sender)).CreateEventHubWriter(), recorder, running);
        }

        public async Task CheckAsync(SentEvent[] events)
        {
            IOutgoingEventBatch? batch = null;
            string? key = null;
            foreach (var one in events)
            {
                if (batch is null || one.Key != key || !batch.TryAdd(one.ToOutgoing(sender)))
                {
                    await SendAsync(batch);
                    batch = await writer.CreateBatchAsync(key = one.Key, null, Token);
                    Assert.True(batch.TryAdd(one.ToOutgoing(sender)));
                }
            }

            await SendAsync(batch);
            var before = received;
            received += events.Length;
            await recorder.UntilCountAsync(received, Token);
            Assert.Equal(events.Select(static one => one.ToString()), recorder.Events.Skip(before).Select(Describe));
        }

        public async Task<bool> FitsAsync(int size) => (await writer.CreateBatchAsync(null, null, Token)).TryAdd(SentEvent.Of(size).ToOutgoing(sender));

        public async Task<int> LargestBodyAsync()
        {
            var (fits, exceeds) = (0, LargestMessage + 1);
            while (exceeds - fits > 1)
            {
                var middle = (fits + exceeds) / 2;
                (fits, exceeds) = await FitsAsync(middle) ? (middle, exceeds) : (fits, middle);
            }

            return fits;
        }

        public async ValueTask DisposeAsync()
        {
            await running.DisposeAsync();
            await writer.DisposeAsync();
            await services.DisposeAsync();
        }

        private async Task SendAsync(IOutgoingEventBatch? batch)
        {
            if (batch is not null)
            {
                await writer.SendAsync(batch, Token);
            }
        }

        private static string Describe(ReceivedEvent one) => SentEvent.Describe(one.PartitionKey, one.ContentType, one.BodyKind, one.Body, one.Properties);

        private static ClientFamily GetFamily(string name) => name == ClientFamily.Official ? OfficialClients.Family : ClientFamily.BuiltIn;
    }
}
