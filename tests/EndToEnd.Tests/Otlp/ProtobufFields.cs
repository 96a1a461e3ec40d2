using System.Buffers.Binary;
using System.Text;

namespace EventHubThroughput.EndToEnd.Tests.Otlp;

/// <summary>One message of protocol buffers, read by the numbers of its fields.</summary>
internal sealed class ProtobufFields
{
    private readonly List<(int Number, ulong Value, ReadOnlyMemory<byte> Bytes)> fields = [];

    public ProtobufFields(ReadOnlyMemory<byte> message)
    {
        for (var at = 0; at < message.Length; )
        {
            var key = Varint(message, ref at);
            var (value, bytes) = (0UL, ReadOnlyMemory<byte>.Empty);
            switch (key & 7)
            {
                case 0:
                    value = Varint(message, ref at);
                    break;
                case 1:
                    value = BinaryPrimitives.ReadUInt64LittleEndian(message.Span[at..]);
                    at += sizeof(ulong);
                    break;
                case 2:
                    var length = (int)Varint(message, ref at);
                    bytes = message.Slice(at, length);
                    at += length;
                    break;
                case 5:
                    value = BinaryPrimitives.ReadUInt32LittleEndian(message.Span[at..]);
                    at += sizeof(uint);
                    break;
                default:
                    throw new InvalidDataException($"a field of wire type {key & 7}");
            }

            fields.Add(((int)(key >> 3), value, bytes));
        }
    }

    public IEnumerable<ProtobufFields> Messages(int number) => Of(number).Select(static field => new ProtobufFields(field.Bytes));

    public ProtobufFields? Message(int number) => Messages(number).FirstOrDefault();

    public string Text(int number) => Encoding.UTF8.GetString(Of(number).FirstOrDefault().Bytes.Span);

    public string Hex(int number) => Convert.ToHexStringLower(Of(number).FirstOrDefault().Bytes.Span);

    public ulong Number(int number) => Of(number).FirstOrDefault().Value;

    public bool Has(int number) => Of(number).Any();

    private static ulong Varint(ReadOnlyMemory<byte> message, ref int at)
    {
        var value = 0UL;
        for (var shift = 0; ; shift += 7)
        {
            var part = message.Span[at++];
            value |= (ulong)(part & 0x7f) << shift;
            if (part < 0x80)
            {
                return value;
            }
        }
    }

    private IEnumerable<(int Number, ulong Value, ReadOnlyMemory<byte> Bytes)> Of(int number) => fields.Where(field => field.Number == number);
}
