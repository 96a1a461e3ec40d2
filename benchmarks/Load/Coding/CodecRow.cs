using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using Lite = global::Amqp;

namespace EventHubThroughput.Load.Coding;

/// <summary>A value that is encoded into an existing buffer and decoded from it.</summary>
/// <param name="Library">The library of the codec.</param>
/// <param name="Name">The name of the row.</param>
/// <param name="Encode">Encodes the value once. Returns its length in bytes.</param>
/// <param name="Decode">Decodes the value once. Returns whether it equals the original.</param>
internal sealed record CodecRow(string Library, string Name, Func<int> Encode, Func<bool> Decode)
{
    public const string Own = "src/Amqp";
    public const string Other = "AMQPNetLite";

    private const uint MaxFrameSize = 65_536;
    private static readonly int[] PropertyCounts = [0, 5, 20];
    private static readonly string[] Names = [.. Enumerable.Range(0, 20).Select(static number => $"property-{number:D2}")];

    /// <summary>The frames of every message that is sent, and messages of 1 KiB with different numbers of properties.</summary>
    public static IReadOnlyList<CodecRow> All { get; } =
    [
        Frame(
            "transfer without its payload",
            new Transfer
            {
                Handle = 1,
                DeliveryId = 70_000,
                DeliveryTag = new byte[] { 1, 2, 3, 4 },
                MessageFormat = 0,
            }
        ),
        Frame(
            "flow",
            new Flow
            {
                NextIncomingId = 70_000,
                IncomingWindow = 5_000,
                NextOutgoingId = 70_000,
                OutgoingWindow = 5_000,
                Handle = 1,
                DeliveryCount = 70_000,
                LinkCredit = 1_000,
            }
        ),
        Frame(
            "disposition, accepted",
            new Disposition
            {
                Role = LinkRole.Receiver,
                First = 70_000,
                Last = 70_010,
                Settled = true,
                State = Accepted.Instance,
            }
        ),
        .. PropertyCounts.SelectMany(static count => new[] { OwnMessage(count), OtherMessage(count) }),
    ];

    private static CodecRow Frame(string name, Performative performative)
    {
        var output = new ArrayBufferWriter<byte>(1_024);
        return new CodecRow(
            Own,
            name,
            () =>
            {
                output.ResetWrittenCount();
                FrameWriter.Write(output, 1, performative, MaxFrameSize);
                return output.WrittenCount;
            },
            () =>
            {
                var buffer = new ReadOnlySequence<byte>(output.WrittenMemory);
                return FrameReader.TryRead(ref buffer, MaxFrameSize, out var frame) && frame.Performative is not null;
            }
        );
    }

    private static CodecRow OwnMessage(int properties)
    {
        var output = new ArrayBufferWriter<byte>(4_096);
        var body = new byte[AmqpCommand.BodyBytes];
        return new CodecRow(
            Own,
            GetName("message", properties),
            () =>
            {
                AmqpMap? map = null;
                for (var number = 0; number < properties; number++)
                {
                    (map ??= new AmqpMap()).Add(Names[number], (long)number);
                }

                output.ResetWrittenCount();
                new AmqpMessage { ApplicationProperties = map, Body = MessageBody.OfData(body) }.Encode(output);
                return output.WrittenCount;
            },
            () =>
            {
                var message = AmqpMessage.Decode(output.WrittenMemory);
                return message.Body.Data[0].Length == AmqpCommand.BodyBytes && (message.ApplicationProperties?.Count ?? 0) == properties;
            }
        );
    }

    private static CodecRow OtherMessage(int properties)
    {
        var body = new byte[AmqpCommand.BodyBytes];
        Lite.ByteBuffer? encoded = null;
        return new CodecRow(
            Other,
            GetName("message", properties),
            () =>
            {
                var message = new Lite.Message { BodySection = new Lite.Framing.Data { Binary = body } };
                if (properties > 0)
                {
                    message.ApplicationProperties = new Lite.Framing.ApplicationProperties();
                    for (var number = 0; number < properties; number++)
                    {
                        message.ApplicationProperties[Names[number]] = (long)number;
                    }
                }

                encoded = message.Encode();
                return encoded.Length;
            },
            () =>
            {
                // Reading moves the beginning of the buffer, so each decoding has a separate view.
                var message = Lite.Message.Decode(new Lite.ByteBuffer(encoded!.Buffer, encoded.Offset, encoded.Length, encoded.Buffer.Length));
                return ((Lite.Framing.Data)message.BodySection).Binary.Length == AmqpCommand.BodyBytes
                    && (message.ApplicationProperties?.Map.Count ?? 0) == properties;
            }
        );
    }

    private static string GetName(string what, int properties) => $"{what} of 1 KiB, {properties} properties";
}
