using System.Globalization;
using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Safety.Scripts;

namespace EventHubThroughput.Safety.Rows;

/// <summary>Data that must pass unharmed, or be laid aside with a stated reason (D1 to D12).</summary>
internal static class DataRows
{
    private const int Many = 200;
    private const int Kibi = 1024;

    public static IReadOnlyList<FaultRow> All { get; } =
    [
        Passes("D1", "empty bodies", static _ => Repeat(static _ => [])),
        Passes("D2", "bodies of 1 byte and around 64 KiB and 255 KiB", static _ => Sizes(1, (64 * Kibi) - 1, 64 * Kibi, (64 * Kibi) + 1, 255 * Kibi)),
        Passes(
            "D2-large",
            "bodies of 256 and 257 KiB, 300,000 bytes and almost 1 MiB, deadletter",
            static _ => Sizes(256 * Kibi, 257 * Kibi, 300_000, 1_000_000)
        ) with
        {
            Options = "--on-poison deadletter",
            Also = Checks.DeadLetters(4 * TimesOfASize),
        },
        Passes("D2-stop", "a body of 300,000 bytes, stop", static _ => Sizes(300_000)) with
        {
            Options = "--on-poison stop",
            Healing = "--on-poison deadletter",
            Expected = new Expected(7, @"message of [\d,]+ bytes exceeds the limit of 262,144|larger than is currently allowed \(262144 bytes\)"),
        },
        Passes("D3", "random bytes, invalid UTF-8, NULs", Bytes),
        Passes("D4", "keys in Unicode, composed and decomposed, of 128 characters", static _ => Keyed(Unicode)),
        Passes("D5", "properties of every AMQP type", static _ => Typed()) with
        {
            OnOfficialClients = Unreadable,
            IsUnreadableForOfficialClients = true,
        },
        Passes(
            "D6",
            "the producer's message ids are all equal",
            static _ => Repeat(static index => [(byte)index]).Select(static data => data with { MessageId = "same" })
        ),
        Passes("D6-key", "one key for all", static _ => Keyed(static _ => "only")),
        Sent("D6-keys", "as many keys as events", 20_000, "--size 64 --keys 1000000") with
        {
            Limit = TimeSpan.FromMinutes(15),
        },
        Sent("D6-null", "no keys", Cell.UsualEvents, "--size 64 --keys 0"),
        Passes("D7", @"keys, properties and content types with / \ ? # % .., trailing dot", static _ => Hostile(HostileNames)),
        Passes(
            "D7-type",
            "content types with a trailing space and with line breaks, which no header carries, deadletter",
            static _ => Hostile(["trailing ", "\r\nX: y"])
        ) with
        {
            Options = "--on-poison deadletter",
            Also = Checks.DeadLetters(Many),
        },
        Sent("D8-1", "10^6 events on 1 partition", 1_000_000, "--size 16 --keys 0", "--partitions 1 --memory-limit 4000") with
        {
            Immediate = true,
            OnBuiltInClients = true,
            Limit = TimeSpan.FromMinutes(60),
        },
        Sent("D8-32", "10^6 events on 32 partitions", 1_000_000, "--size 16 --keys 0", "--partitions 32 --memory-limit 4000") with
        {
            OnBuiltInClients = true,
            Limit = TimeSpan.FromMinutes(60),
        },
        Sent("D9", "all events within a second, to a consumer that waits for them", Cell.UsualEvents, "") with
        {
            Options = "--follow",
            Script = Traffic.BurstAsync,
            Sends = Traffic.NothingYet,
        },
        Sent("D9-trickle", "next to nothing to do: less than 2 % of a processor", 5, "--size 64 --keys 0") with
        {
            Options = "--follow",
            Script = Traffic.IdleAsync,
        },
        Passes("D10", "value and sequence bodies", static _ => Values()) with
        {
            OnOfficialClients = Unreadable,
            IsUnreadableForOfficialClients = true,
        },
        Sent("D11", "partitions that begin far above 0", Cell.UsualEvents, "") with
        {
            // The emulator cannot make gaps inside a partition, and offsets that are not numbers.
            Emulator = "--settings {folder}/hub.json",
            Files = TrimmedHub(),
            Sends = Hubs.SentAfterOthersWereTrimmedAsync,
        },
        Passes("D12", "enqueued out of the producer's order", Shuffled),
    ];

    private const int TimesOfASize = 3;

    // Nothing after the event is handled, and nothing is lost.
    private static Expected Unreadable => new(4, @"\bthe package\b|unable to decode");

    private static FaultRow Passes(string id, string injected, Func<int, IEnumerable<DataEvent>> events) =>
        new(id, injected)
        {
            Emulator = "--allow-anonymous",
            Expected = Expected.Clean,
            Sends = (stage, token) => DataSender.SendAsync(stage, events(stage.Cell.Seed), token),
        };

    private static FaultRow Sent(string id, string injected, int events, string options, string emulator = "") =>
        new(id, injected)
        {
            Events = events,
            Emulator = emulator,
            Expected = Expected.Clean,
            Sends = (stage, token) => stage.SendAsync(options, token),
        };

    private static Dictionary<string, string> TrimmedHub() =>
        new(StringComparer.Ordinal) { ["hub.json"] = """{ "hubs": [ { "name": "hub", "partitions": 4, "retentionSize": "1MiB" } ] }""" };

    private static IEnumerable<DataEvent> Repeat(Func<int, byte[]> body) => Enumerable.Range(0, Many).Select(index => DataEvent.Of(body(index)));

    private static IEnumerable<DataEvent> Sizes(params int[] sizes) =>
        sizes.SelectMany(size => Enumerable.Range(0, TimesOfASize).Select(turn => DataEvent.Of([.. Enumerable.Repeat((byte)turn, size)])));

    private static IEnumerable<DataEvent> Bytes(int seed)
    {
        var random = new Random(seed);
        return Repeat(index =>
        {
            var body = new byte[random.Next(1, 2_000)];
            random.NextBytes(body);
            return (index % 4) switch
            {
                0 => body,
                1 => new byte[body.Length],
                2 => [0xC3, 0x28, 0xED, 0xA0, 0x80, 0xFF, 0xFE, .. body],
                _ => [.. Encoding.UTF8.GetBytes("\uFEFFtext\0text"), .. body],
            };
        });
    }

    private static IEnumerable<DataEvent> Keyed(Func<int, string?> key) =>
        Repeat(static index => Encoding.UTF8.GetBytes(index.ToString(CultureInfo.InvariantCulture))).Select((data, index) => data with { Key = key(index) });

    private static string Unicode(int index) =>
        (index % 5) switch
        {
            0 => "Zürich".Normalize(NormalizationForm.FormC),
            1 => "Zürich".Normalize(NormalizationForm.FormD),
            2 => "東京-🌍",
            3 => new string('x', 128),
            _ => "İıſß\u200B",
        };

    private static IEnumerable<DataEvent> Typed()
    {
        var nested = new AmqpMap()
        {
            {
                "inner",
                new AmqpMap { { "deep", 1 }, { 2L, "number as a key" } }
            },
            { "list", new AmqpList([1, "two", null]) },
        };
        object?[] values =
        [
            null,
            true,
            false,
            byte.MaxValue,
            sbyte.MinValue,
            ushort.MaxValue,
            short.MinValue,
            uint.MaxValue,
            0u,
            int.MinValue,
            ulong.MaxValue,
            0ul,
            long.MinValue,
            float.NaN,
            -0.0f,
            double.Epsilon,
            double.NegativeInfinity,
            new AmqpDecimal(new byte[4]),
            new AmqpDecimal(new byte[8]),
            new AmqpDecimal(new byte[16]),
            new AmqpChar(0x1F30D),
            new AmqpTimestamp(-1),
            new AmqpTimestamp(253_402_300_799_999),
            Guid.Empty,
            new ReadOnlyMemory<byte>([0, 255]),
            ReadOnlyMemory<byte>.Empty,
            "",
            "text\0with NUL",
            new string('s', 300),
            new AmqpSymbol("symbol"),
            new AmqpList(),
            nested,
            AmqpArray.Of(new[] { 1, 2, 3 }),
            new AmqpDescribed(new AmqpSymbol("com.example:thing"), "value"),
        ];
        return values.SelectMany(
            static (value, index) =>
                Enumerable
                    .Range(0, 3)
                    .Select(turn =>
                        DataEvent.Of([(byte)index, (byte)turn]) with
                        {
                            Properties = new AmqpMap { { "value", value }, { "", "a name that is empty" } },
                        }
                    )
        );
    }

    private static string[] HostileNames => ["../../etc/passwd", @"..\..\x", "a/b", "a?b#c%20", "trailing.", ".", "..", "~7E", "%2e%2e%2f", "CON", "\"';--"];

    private static IEnumerable<DataEvent> Hostile(string[] names) =>
        Enumerable
            .Range(0, Many)
            .Select(index =>
                DataEvent.Of(BitConverter.GetBytes(index)) with
                {
                    Key = names[index % names.Length],
                    Properties = new AmqpMap { { names[index % names.Length], names[index % names.Length] } },
                    ContentType = names[index % names.Length],
                }
            );

    private static IEnumerable<DataEvent> Values()
    {
        MessageBody[] bodies =
        [
            MessageBody.OfValue("text"),
            MessageBody.OfValue(null),
            MessageBody.OfValue(42),
            MessageBody.OfValue(new AmqpMap { { "a", new AmqpList([1, 2]) } }),
            MessageBody.OfValue(new ReadOnlyMemory<byte>([1, 2, 3])),
            MessageBody.OfSequence(new AmqpList([1, "two", null])),
            MessageBody.OfSequence(new AmqpList([1]), new AmqpList([2])),
            MessageBody.OfData(new byte[] { 1 }, new byte[] { 2, 3 }),
        ];
        return Enumerable.Range(0, Many).Select(index => new DataEvent(bodies[index % bodies.Length]));
    }

    // The number in the body is the order of the producer. The hub's order is another, and that is the one that counts.
    private static IEnumerable<DataEvent> Shuffled(int seed)
    {
        int[] order = [.. Enumerable.Range(0, Many)];
        new Random(seed).Shuffle(order);
        return order.Select(number => DataEvent.Of(BitConverter.GetBytes(number)) with { Key = (number % 8).ToString(CultureInfo.InvariantCulture) });
    }
}
