namespace EventHubThroughput.Amqp.Codec;

internal static class MessageDecoder
{
    public static AmqpMessage Decode(ReadOnlyMemory<byte> encoded)
    {
        var message = new AmqpMessage();
        var reader = new AmqpReader(encoded);
        List<ReadOnlyMemory<byte>>? data = null;
        List<AmqpList>? sequences = null;
        var seen = 0;
        while (!reader.End)
        {
            var code = MessageSections.ReadCode(ref reader);
            var bit = 1 << (int)((ulong)code - (ulong)SectionCode.Header);
            if ((seen & bit) != 0 && code is not (SectionCode.Data or SectionCode.Sequence))
            {
                throw AmqpException.Decode($"The section {code} occurs twice.");
            }

            seen |= bit;
            switch (code)
            {
                case SectionCode.Data when data is null && message.Body.Kind == MessageBodyKind.None:
                    message.Body = MessageBody.OfData(reader.ReadBinary());
                    break;
                case SectionCode.Data:
                    data ??= [.. message.Body.Data];
                    data.Add(reader.ReadBinary());
                    break;
                case SectionCode.Sequence:
                    (sequences ??= []).Add(reader.ReadList());
                    break;
                default:
                    DecodeSingle(message, code, ref reader);
                    break;
            }
        }

        CheckOneBody(seen);
        if (data is not null)
        {
            message.Body = MessageBody.OfData([.. data]);
        }

        if (sequences is not null)
        {
            message.Body = MessageBody.OfSequence([.. sequences]);
        }

        return message;
    }

    private static void DecodeSingle(AmqpMessage message, SectionCode code, ref AmqpReader reader)
    {
        switch (code)
        {
            case SectionCode.Header:
                message.Header = MessageHeader.Decode(ref reader);
                break;
            case SectionCode.DeliveryAnnotations:
                message.DeliveryAnnotations = reader.ReadMap();
                break;
            case SectionCode.MessageAnnotations:
                message.MessageAnnotations = reader.ReadMap();
                break;
            case SectionCode.Properties:
                message.Properties = MessageProperties.Decode(ref reader);
                break;
            case SectionCode.ApplicationProperties:
                message.ApplicationProperties = reader.ReadMap();
                break;
            case SectionCode.Footer:
                message.Footer = reader.ReadMap();
                break;
            default:
                message.Body = MessageBody.OfValue(reader.ReadValue());
                break;
        }
    }

    private static void CheckOneBody(int seen)
    {
        const int first = (int)SectionCode.Data - (int)SectionCode.Header;
        var kinds = (seen >> first) & 0b111;
        if (kinds is not (0 or 0b001 or 0b010 or 0b100))
        {
            throw AmqpException.Decode("The message has bodies of different kinds.");
        }
    }
}
