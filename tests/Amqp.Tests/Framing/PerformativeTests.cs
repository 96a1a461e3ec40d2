using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Tests.Codec;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Framing;

public sealed class PerformativeTests
{
    private static readonly Gen<Performative> Any = Gen.OneOf(AnyPerformative.Amqp, AnyPerformative.Sasl);

    [Fact]
    public void Every_performative_decodes_to_what_was_encoded() =>
        ForAny(performative => Same.Values(performative, Performative.Decode(Bytes.Encode(performative))));

    [Fact]
    public void A_symbol_is_as_good_a_descriptor_as_the_number() =>
        ForAny(performative =>
        {
            var encoded = Bytes.Encode(performative);
            var name = Descriptor.Names.Single(entry => entry.Value == encoded[2]).Key;
            byte[] renamed = [0x00, .. Bytes.Encode(new AmqpSymbol(name)), .. encoded[3..]];
            return Same.Values(performative, Performative.Decode(renamed));
        });

    [Fact]
    public void Lists_in_the_long_form_decode_alike() =>
        ForAny(performative =>
        {
            var encoded = Bytes.Encode(performative);
            var lengthened = encoded[3] switch
            {
                0x45 => [.. encoded[..3], 0xd0, 0, 0, 0, 4, 0, 0, 0, 0],
                0xc0 => [.. encoded[..3], 0xd0, 0, 0, (byte)((encoded[4] + 3) >> 8), (byte)(encoded[4] + 3), 0, 0, 0, .. encoded[5..]],
                _ => encoded,
            };
            return Same.Values(performative, Performative.Decode(lengthened));
        });

    [Fact]
    public void Every_truncation_is_a_decode_error() =>
        ForAny(performative =>
        {
            var encoded = Bytes.Encode(performative);
            for (var length = 0; length < Math.Min(encoded.Length, 400); length++)
            {
                var part = encoded.AsMemory(0, length);
                Assert.Equal(ErrorCondition.DecodeError, Assert.Throws<AmqpException>(() => Performative.Decode(part)).Error.Condition.Value);
            }

            return true;
        });

    [Fact]
    public void Every_field_is_written_and_absent_ones_are_null()
    {
        Assert.Equal("005315c00706414340404040", Hex(new Disposition { Role = LinkRole.Receiver }));
        Assert.Equal(
            "005315c00a0641434041" + "00532445" + "40",
            Hex(
                new Disposition
                {
                    Role = LinkRole.Receiver,
                    Settled = true,
                    State = Accepted.Instance,
                }
            )
        );
        Assert.Equal("005317c0020140", Hex(new End()));
        Assert.Equal("00532445", Bytes.Hex(Bytes.Encode(Accepted.Instance)));
        Assert.Equal("005325c0020140", Bytes.Hex(Bytes.Encode(new Rejected(null))));
        Assert.Equal("005327c00403404040", Bytes.Hex(Bytes.Encode(new Modified())));
    }

    // Microsoft's AMQP for Python reads, say, attach.properties as the 14th field: it fails where the list ends before.
    [Theory]
    [MemberData(nameof(Widths))]
    public void An_encoded_list_has_all_its_fields_for_any_values(AmqpComposite composite, int places)
    {
        var encoded = Bytes.Encode(composite);
        Assert.Equal(0xc0, encoded[3]);
        Assert.Equal(places, encoded[5]);
    }

    public static TheoryData<AmqpComposite, int> Widths =>
        new()
        {
            {
                new Open { ContainerId = "a" },
                10
            },
            { new Begin(), 8 },
            {
                new Attach { Name = "a" },
                14
            },
            { new Flow(), 11 },
            { new Transfer(), 11 },
            { new Disposition(), 6 },
            { new Detach(), 3 },
            { new End(), 1 },
            { new Close(), 1 },
            { new AmqpError("a"), 3 },
            { new Source(), 11 },
            { new Target(), 7 },
            { new MessageHeader(), 5 },
            { new MessageProperties(), 13 },
        };

    [Fact]
    public void A_present_null_equals_a_missing_field() =>
        Assert.Equal(new Begin { IncomingWindow = 1, OutgoingWindow = 1 }, Performative.Decode(Bytes.Of("005311 c00b08 40 43 5201 5201 40 40 40 40")));

    [Theory]
    [InlineData("a30161")]
    [InlineData("b30000000161")]
    [InlineData("e00401a30161")]
    [InlineData("e00701b30000000161")]
    [InlineData("f00000000700000001a30161")]
    public void A_multiple_field_is_one_value_or_an_array(string field)
    {
        var value = Bytes.Of(field);
        byte[] encoded = [0x00, 0x53, 0x40, 0xc0, (byte)(value.Length + 1), 1, .. value];
        Assert.Equal<AmqpSymbol>(["a"], Assert.IsType<SaslMechanisms>(Performative.Decode(encoded)).Mechanisms);
    }

    [Theory]
    [InlineData("005310 45", "open without container-id")]
    [InlineData("005310 c00201 43", "a container-id that is a uint")]
    [InlineData("005312 c00502 a10161 43", "attach without role")]
    [InlineData("005312 c00804 a10161 43 41 5003", "a snd-settle-mode that does not exist")]
    [InlineData("005312 c00905 a10161 43 41 40 5002", "a rcv-settle-mode that does not exist")]
    [InlineData("005312 c00c06 a10161 43 41 40 40 00532945", "a target as source")]
    [InlineData("005315 c00905 41 43 40 40 00533445", "a state that is not known")]
    [InlineData("005344 c00301 5005", "a sasl-code that does not exist")]
    [InlineData("005340 45", "sasl-mechanisms without mechanisms")]
    [InlineData("005399 45", "a performative that is not known")]
    [InlineData("00a30161 45", "a performative whose name is not known")]
    [InlineData("45", "no descriptor")]
    [InlineData("005311 c10100", "a map for a list")]
    public void A_malformed_performative_is_a_decode_error(string encoded, string what)
    {
        var exception = Assert.Throws<AmqpException>(() => Performative.Decode(Bytes.Of(encoded)));
        Assert.True(exception.Scope == AmqpErrorScope.Decode && exception.Error.Condition.Value == ErrorCondition.DecodeError, what);
    }

    [Fact]
    public void A_delivery_tag_has_at_most_32_bytes()
    {
        var longest = new Transfer { DeliveryTag = new byte[32] };
        Assert.True(Same.Values(longest, Performative.Decode(Bytes.Encode(longest))));
        var tooLong = Bytes.Encode(new Transfer { DeliveryTag = new byte[33] });
        Assert.Throws<AmqpException>(() => Performative.Decode(tooLong));
    }

    [Fact]
    public void Fields_of_a_later_version_are_passed_over() => Assert.Equal(new End(), Performative.Decode(Bytes.Of("005317 c00603 40 a10161 43")));

    [Fact]
    public void The_text_of_sasl_init_does_not_show_the_response() =>
        Assert.Equal("SaslInit { Mechanism = PLAIN }", new SaslInit { Mechanism = "PLAIN", InitialResponse = "\0user\0password"u8.ToArray() }.ToString());

    private static string Hex(Performative performative) => Bytes.Hex(Bytes.Encode(performative));

    private static void ForAny(Func<Performative, bool> holds) => Check.One(PropertyCases.Usual, Prop.ForAll(Any.ToArbitrary(), holds));
}
