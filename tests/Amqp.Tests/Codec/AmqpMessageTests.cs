using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Codec;

public sealed class AmqpMessageTests
{
    private static readonly Gen<string?> MaybeText = AnyValue.OptionalOf(AnyValue.Text);
    private static readonly Gen<uint?> MaybeUInt = AnyValue.Optional(AnyValue.Bits.Select(bits => (uint)bits));

    private static readonly Gen<object?> Identifier = Gen.OneOf(
        Gen.Constant((object?)null),
        AnyValue.Text.Select(text => (object?)text),
        AnyValue.Bits.Select(number => (object?)number),
        AnyValue.Uuid.Select(uuid => (object?)uuid),
        AnyValue.Binary.Select(bytes => (object?)bytes)
    );

    private static readonly Gen<MessageHeader> Headers =
        from flags in Gen.Elements(true, false).ListOf(2)
        from priority in AnyValue.Optional(AnyValue.Bits.Select(bits => (byte)bits))
        from numbers in MaybeUInt.ListOf(2)
        select new MessageHeader
        {
            Durable = flags[0],
            Priority = priority,
            Ttl = numbers[0],
            FirstAcquirer = flags[1],
            DeliveryCount = numbers[1],
        };

    private static readonly Gen<MessageProperties> Properties =
        from identifiers in Identifier.ListOf(2)
        from user in AnyValue.Optional(AnyValue.Binary)
        from texts in MaybeText.ListOf(5)
        from symbols in AnyValue.OptionalOf(AnyValue.AsciiText).ListOf(2)
        from times in AnyValue.Optional(AnyValue.Timestamp).ListOf(2)
        from sequence in MaybeUInt
        select new MessageProperties
        {
            MessageId = identifiers[0],
            UserId = user,
            To = texts[0],
            Subject = texts[1],
            ReplyTo = texts[2],
            CorrelationId = identifiers[1],
            ContentType = symbols[0],
            ContentEncoding = symbols[1],
            AbsoluteExpiryTime = times[0],
            CreationTime = times[1],
            GroupId = texts[3],
            GroupSequence = sequence,
            ReplyToGroupId = texts[4],
        };

    private static readonly Gen<MessageBody> Bodies = Gen.OneOf(
        Gen.Constant(default(MessageBody)),
        Gen.Choose(1, 4).SelectMany(AnyValue.Binary.ArrayOf).Select(MessageBody.OfData),
        AnyValue.Any.Select(MessageBody.OfValue),
        Gen.Choose(1, 3).SelectMany(AnyValue.Scalar.ListOf(3).Select(items => new AmqpList(items)).ArrayOf).Select(MessageBody.OfSequence)
    );

    private static readonly Gen<AmqpMessage> Messages =
        from header in AnyValue.OptionalOf(Headers)
        from properties in AnyValue.OptionalOf(Properties)
        from maps in AnyValue.OptionalOf(AnyValue.Map).ListOf(4)
        from body in Bodies
        select new AmqpMessage
        {
            Header = header,
            DeliveryAnnotations = maps[0],
            MessageAnnotations = maps[1],
            Properties = properties,
            ApplicationProperties = maps[2],
            Body = body,
            Footer = maps[3],
        };

    [Fact]
    public void Every_message_decodes_to_what_was_encoded() => ForAny(message => Same.Values(message, AmqpMessage.Decode(message.Encode())));

    [Fact]
    public void Sections_in_any_order_make_the_same_message() =>
        ForAny(message =>
        {
            var sections = MessageSections.Split(message.Encode());
            var reversed = sections.GroupBy(section => section.Code).Reverse().SelectMany(group => group).SelectMany(section => section.Encoded.ToArray());
            return Same.Values(message, AmqpMessage.Decode(reversed.ToArray()));
        });

    [Fact]
    public void Split_keeps_the_bytes_as_they_came() =>
        ForAny(message =>
        {
            var encoded = message.Encode();
            var joined = MessageSections.Split(encoded).SelectMany(section => section.Encoded.ToArray()).ToArray();
            return joined.AsSpan().SequenceEqual(encoded.Span);
        });

    [Fact]
    public void A_footer_before_the_body_is_taken()
    {
        var message = AmqpMessage.Decode(Bytes.Of("005378 c10602 a30161 5401" + "005375 a00161"));
        Assert.Equal(1, message.Footer!.Find("a"));
        Assert.Equal("a"u8, message.Body.Data.Single().Span);
    }

    [Theory]
    [InlineData("", null)]
    [InlineData("00537045", "")]
    [InlineData("005370c00100", "")]
    [InlineData("005370c00c05 41 5007 7000000100 41 5203", "full")]
    public void The_header_may_be_missing_empty_or_full(string encoded, string? kind)
    {
        var header = AmqpMessage.Decode(Bytes.Of(encoded)).Header;
        Assert.Equal(
            kind switch
            {
                null => null,
                "" => new MessageHeader(),
                _ => new MessageHeader
                {
                    Durable = true,
                    Priority = 7,
                    Ttl = 256,
                    FirstAcquirer = true,
                    DeliveryCount = 3,
                },
            },
            header
        );
    }

    [Fact]
    public void A_delivery_count_of_zero_is_written_when_it_is_given()
    {
        Assert.Equal("005370c006054040404043", Bytes.Hex(Bytes.Encode(new MessageHeader { DeliveryCount = 0 })));
        Assert.Equal("005370c006054040404040", Bytes.Hex(Bytes.Encode(new MessageHeader())));
    }

    [Fact]
    public void Binary_of_a_data_section_is_a_slice()
    {
        var encoded = Bytes.Of("005375a0020102");
        var content = MessageSections.BinaryOf(MessageSections.Split(encoded).Single());
        encoded[^1] = 9;
        Assert.Equal("0109", Bytes.Hex(content.Span));
    }

    [Fact]
    public void A_section_may_be_named_by_its_symbol()
    {
        byte[] encoded = [0x00, .. Bytes.Encode(new AmqpSymbol("amqp:amqp-value:*")), 0x41];
        Assert.Equal(true, AmqpMessage.Decode(encoded).Body.Value);
        Assert.Equal(SectionCode.Value, MessageSections.Split(encoded).Single().Code);
    }

    [Theory]
    [InlineData("005370450053 7045", "two headers")]
    [InlineData("005377 41 005377 41", "two values")]
    [InlineData("005375a000 005377 41", "data and a value")]
    [InlineData("00537645 005375a000", "a sequence and data")]
    [InlineData("005377 41 005375a000", "a value and data")]
    [InlineData("00537945", "a section that does not exist")]
    [InlineData("00531845", "a performative")]
    [InlineData("41", "no section")]
    [InlineData("005375a10161", "data that is a string")]
    [InlineData("00537445", "application-properties that are a list")]
    [InlineData("005373c0020141", "a message-id that is a boolean")]
    public void A_malformed_message_is_a_decode_error(string encoded, string what)
    {
        var exception = Assert.Throws<AmqpException>(() => AmqpMessage.Decode(Bytes.Of(encoded)));
        Assert.True(exception.Scope == AmqpErrorScope.Decode && exception.Error.Condition.Value == ErrorCondition.DecodeError, what);
    }

    private static void ForAny(Func<AmqpMessage, bool> holds) => Check.One(PropertyCases.Usual, Prop.ForAll(Messages.ToArbitrary(), holds));
}
