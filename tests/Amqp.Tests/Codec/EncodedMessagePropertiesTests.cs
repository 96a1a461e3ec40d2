using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Codec;

public sealed class EncodedMessagePropertiesTests
{
    private static readonly object?[] Identifiers = [null, "id", 7UL, Guid.Empty, new ReadOnlyMemory<byte>([1, 2, 3])];
    private static readonly string?[] Texts = [null, "", "text", new string('t', 300)];

    [Fact]
    public void Finds_what_the_decoded_section_holds() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Gen.Choose(0, 1_000_000).ToArbitrary(),
                (int seed) =>
                {
                    var random = new Random(seed);
                    var properties = new MessageProperties
                    {
                        MessageId = Identifiers[random.Next(Identifiers.Length)],
                        UserId = random.Next(2) == 0 ? null : new byte[random.Next(300)],
                        To = Texts[random.Next(Texts.Length)],
                        Subject = Texts[random.Next(Texts.Length)],
                        CorrelationId = Identifiers[random.Next(Identifiers.Length)],
                        ContentType = Texts[random.Next(Texts.Length)],
                        GroupSequence = random.Next(2) == 0 ? null : 5u,
                    };
                    var encoded = Section(new AmqpMessage { Properties = properties });

                    Assert.Equal(properties.ContentType, encoded.FindContentType());
                    AssertSame(properties.MessageId, encoded.FindMessageId());
                    AssertSame(properties.CorrelationId, encoded.FindCorrelationId());
                    Assert.Equal(properties.MessageId is not null || properties.CorrelationId is not null, encoded.HasIdentifier);
                }
            )
        );

    [Fact]
    public void Without_a_section_nothing_is_found()
    {
        Assert.Null(default(EncodedMessageProperties).FindContentType());
        Assert.Null(default(EncodedMessageProperties).FindMessageId());
        Assert.Null(default(EncodedMessageProperties).FindCorrelationId());
        Assert.False(default(EncodedMessageProperties).HasIdentifier);
    }

    [Fact]
    public void A_list_that_ends_before_the_field_has_none()
    {
        // A list of one string, "m".
        var encoded = new EncodedMessageProperties(new byte[] { 0xc0, 0x04, 0x01, 0xa1, 0x01, (byte)'m' });

        Assert.Equal("m", encoded.FindMessageId());
        Assert.True(encoded.HasIdentifier);
        Assert.Null(encoded.FindCorrelationId());
        Assert.Null(encoded.FindContentType());
    }

    [Fact]
    public void Encoded_properties_refuse_a_malformed_identifier_symbol_or_list()
    {
        AssertRefused(static () => new EncodedMessageProperties(new byte[] { 0xc0, 0x02, 0x01, 0x41 }).FindMessageId());
        AssertRefused(static () => new EncodedMessageProperties(new byte[] { 0xc0, 0x08, 0x07, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x41 }).FindContentType());
        AssertRefused(static () => new EncodedMessageProperties(new byte[] { 0xc0, 0x07, 0x06, 0x40, 0x40, 0x40, 0x40, 0x40, 0x41 }).FindCorrelationId());
        AssertRefused(static () => new EncodedMessageProperties(new byte[] { 0x41 }).HasIdentifier);
        AssertRefused(static () => new EncodedMessageProperties(new byte[] { 0x41 }).FindContentType());
        AssertRefused(static () => new EncodedMessageProperties(new byte[] { 0xc0, 0x08, 0x07, 0x40 }).FindContentType());
    }

    private static void AssertSame(object? expected, object? found)
    {
        if (expected is ReadOnlyMemory<byte> bytes)
        {
            Assert.Equal(bytes.ToArray(), Assert.IsType<ReadOnlyMemory<byte>>(found).ToArray());
        }
        else
        {
            Assert.Equal(expected, found);
        }
    }

    private static void AssertRefused(Func<object?> look) => Assert.Equal(AmqpErrorScope.Decode, Assert.Throws<AmqpException>(look).Scope);

    private static EncodedMessageProperties Section(AmqpMessage message) =>
        new(MessageSections.Split(message.Encode()).Single(static section => section.Code == SectionCode.Properties).Value);
}
