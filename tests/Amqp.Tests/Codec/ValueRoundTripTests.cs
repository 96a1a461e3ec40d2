using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Codec;

public sealed class ValueRoundTripTests
{
    [Fact]
    public void Every_value_decodes_to_what_was_encoded() => ForAnyValue(value => Same.Values(value, Bytes.Decode(Bytes.Encode(value))));

    [Fact]
    public void A_value_encodes_alike_after_a_round_trip() =>
        ForAnyValue(value =>
        {
            var first = Bytes.Encode(value);
            return first.AsSpan().SequenceEqual(Bytes.Encode(Bytes.Decode(first)));
        });

    [Fact]
    public void Skipping_a_value_passes_over_all_of_its_bytes() =>
        ForAnyValue(value =>
        {
            var reader = new AmqpReader(Bytes.Encode(value).AsMemory());
            reader.SkipValue();
            return reader.End;
        });

    [Fact]
    public void An_output_that_lends_little_gets_the_same_bytes() =>
        ForAnyValue(value =>
        {
            var output = new StingyOutput();
            var writer = new AmqpWriter(output);
            writer.WriteValue(value);
            writer.Flush();
            return output.Written.AsSpan().SequenceEqual(Bytes.Encode(value));
        });

    [Fact]
    public void Every_truncation_of_a_value_is_a_decode_error() =>
        ForAnyValue(value =>
        {
            var encoded = Bytes.Encode(value);
            for (var length = 0; length < Math.Min(encoded.Length, 400); length++)
            {
                Bytes.DecodeFails(encoded[..length]);
            }

            return true;
        });

    [Fact]
    public void Bytes_that_are_lent_are_copied_and_bytes_that_are_kept_are_sliced()
    {
        var encoded = Bytes.Encode(Bytes.Of("0102"));
        var kept = new AmqpReader(encoded.AsMemory()).ReadBinary();
        var copied = new AmqpReader(encoded.AsSpan()).ReadBinary();
        encoded[^1] = 0xff;
        Assert.Equal("01ff", Bytes.Hex(kept.Span));
        Assert.Equal("0102", Bytes.Hex(copied.Span));
    }

    private static void ForAnyValue(Func<object?, bool> holds) => Check.One(PropertyCases.Usual, Prop.ForAll(AnyValue.Any.ToArbitrary(), holds));
}
