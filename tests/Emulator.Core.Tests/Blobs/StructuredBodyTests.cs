using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>The format of a framed body byte for byte, and that no damaged one is accepted.</summary>
public sealed class StructuredBodyTests
{
    // The digits 1 to 9 as one segment: header of the message, header of the segment, content, checksum of both.
    private const string Digits =
        "01" + "3000000000000000" + "0100" + "0100" + "0100" + "0900000000000000" + "313233343536373839" + "8898790A86148BAE" + "8898790A86148BAE";

    private static readonly Gen<Case> Cases =
        from content in Gen.Choose(0, 255).ArrayOf()
        from segment in Gen.Choose(1, 40)
        from steps in Gen.NonEmptyListOf(Gen.Choose(1, 17))
        from place in Gen.Choose(0, int.MaxValue)
        from bit in Gen.Choose(0, 7)
        select new Case([.. content.Select(static value => (byte)value)], segment, [.. steps], place, bit);

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task The_bytes_are_those_of_the_specification()
    {
        var content = "123456789"u8.ToArray();
        Assert.Equal(Digits, Convert.ToHexString(await EncodeAsync(content, 100, [1000])));
        Assert.Equal(content, await DecodeAsync(Convert.FromHexString(Digits), content.Length, [1000]));
    }

    [Fact]
    public async Task Empty_content_is_one_empty_segment()
    {
        var body = await EncodeAsync([], 100, [1000]);
        Assert.Equal("01270000000000000001000100" + "01000000000000000000" + "0000000000000000" + "0000000000000000", Convert.ToHexString(body));
        Assert.Empty(await DecodeAsync(body, 0, [1000]));
    }

    [Fact]
    public void No_body_has_more_segments_than_the_format_can_count()
    {
        const long Content = 1L << 40;
        StructuredBodyEncoder encoder = new(static (_, _) => ValueTask.FromResult(0), Content);
        Assert.InRange(encoder.Length, Content, Content + StructuredBodyFormat.MostOverhead);
    }

    [Fact]
    public void Decodes_what_was_encoded_however_it_is_cut() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Cases.ToArbitrary(),
                static async one =>
                {
                    var body = await EncodeAsync(one.Content, one.Segment, one.Steps);
                    Assert.Equal(one.Content, await DecodeAsync(body, one.Content.Length, one.Steps));
                }
            )
        );

    [Fact]
    public void A_flipped_bit_is_refused_wherever_it_is() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Cases.ToArbitrary(),
                static async one =>
                {
                    var body = await EncodeAsync(one.Content, one.Segment, one.Steps);
                    body[one.Place % body.Length] ^= (byte)(1 << one.Bit);
                    await RefusedAsync(body, one);
                }
            )
        );

    [Fact]
    public void A_body_that_is_cut_short_or_continues_after_its_end_is_refused() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                Cases.ToArbitrary(),
                static async one =>
                {
                    var body = await EncodeAsync(one.Content, one.Segment, one.Steps);
                    await RefusedAsync(body[..(one.Place % body.Length)], one);
                    await RefusedAsync([.. body, 0], one);
                }
            )
        );

    [Theory]
    [InlineData(8)]
    [InlineData(10)]
    [InlineData(0)]
    public async Task Content_of_another_length_than_announced_is_refused(int announced)
    {
        var refused = await Assert.ThrowsAsync<StructuredBodyException>(() => DecodeAsync(Convert.FromHexString(Digits), announced, [1000]));
        Assert.Equal((400, "InvalidInput"), (refused.Failure.Status, refused.Failure.Code));
    }

    [Theory]
    [InlineData(0, "02", "InvalidInput")]
    [InlineData(1, "31", "InvalidInput")]
    [InlineData(9, "00", "InvalidInput")]
    [InlineData(9, "03", "InvalidInput")]
    [InlineData(11, "00", "InvalidInput")]
    [InlineData(11, "02", "InvalidInput")]
    [InlineData(13, "02", "InvalidInput")]
    [InlineData(22, "80", "InvalidInput")]
    [InlineData(23, "32", "Crc64Mismatch")]
    [InlineData(32, "89", "Crc64Mismatch")]
    [InlineData(40, "89", "Crc64Mismatch")]
    public async Task The_refusal_names_its_cause(int place, string value, string code)
    {
        var body = Convert.FromHexString(Digits);
        body[place] = Convert.FromHexString(value)[0];
        var refused = await Assert.ThrowsAsync<StructuredBodyException>(() => DecodeAsync(body, 9, [1000]));
        Assert.Equal((400, code), (refused.Failure.Status, refused.Failure.Code));
    }

    // As a length from Content-Length, and as that of a body in chunks, which has none.
    private static async Task RefusedAsync(byte[] body, Case one)
    {
        await Assert.ThrowsAsync<StructuredBodyException>(() => DecodeAsync(body, one.Content.Length, one.Steps));
        await Assert.ThrowsAsync<StructuredBodyException>(() => DecodeAsync(body, one.Content.Length, one.Steps, isChunked: true));
    }

    private static Task<byte[]> EncodeAsync(byte[] content, int segment, int[] steps) =>
        ReadAllAsync(new StructuredBodyEncoder(InSteps(content, steps), content.Length, segment).ReadAsync, steps);

    private static async Task<byte[]> DecodeAsync(byte[] body, int contentLength, int[] steps, bool isChunked = false)
    {
        StructuredBodyDecoder decoder = new(InSteps(body, steps), isChunked ? null : body.Length, contentLength);
        var content = await ReadAllAsync(decoder.ReadAsync, steps);
        await decoder.CompleteAsync(Cancelled);
        return content;
    }

    private static async Task<byte[]> ReadAllAsync(ContentSource source, int[] steps)
    {
        using MemoryStream all = new();
        for (var step = 0; ; step++)
        {
            var into = new byte[steps[step % steps.Length]];
            var read = await source(into, Cancelled);
            if (read == 0)
            {
                return all.ToArray();
            }

            await all.WriteAsync(into.AsMemory(0, read), Cancelled);
        }
    }

    private static ContentSource InSteps(byte[] bytes, int[] steps)
    {
        var done = 0;
        var step = 0;
        return (into, _) =>
        {
            var length = Math.Min(Math.Min(into.Length, steps[step++ % steps.Length]), bytes.Length - done);
            bytes.AsSpan(done, length).CopyTo(into.Span);
            done += length;
            return ValueTask.FromResult(length);
        };
    }

    private sealed record Case(byte[] Content, int Segment, int[] Steps, int Place, int Bit);
}
