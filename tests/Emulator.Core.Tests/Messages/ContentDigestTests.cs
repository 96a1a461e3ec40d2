using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Messages;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Messages;

public sealed class ContentDigestTests
{
    [Fact]
    public void The_body_is_hashed_as_an_application_sees_it()
    {
        var message = new AmqpMessage { Body = MessageBody.OfData("ab"u8.ToArray(), "c"u8.ToArray()) };
        var digest = Digest(message);
        Assert.Equal(Convert.ToHexStringLower(SHA256.HashData("abc"u8)), digest.Sha256);
        Assert.Equal(3, digest.Length);
    }

    [Fact]
    public void An_empty_body_has_length_zero() => Assert.Equal(0, Digest(new AmqpMessage { Body = MessageBody.OfData(ReadOnlyMemory<byte>.Empty) }).Length);

    [Fact]
    public void A_value_body_is_hashed_in_its_encoding()
    {
        var digest = Digest(new AmqpMessage { Body = MessageBody.OfValue("a") });
        Assert.Equal(Convert.ToHexStringLower(SHA256.HashData([0xa1, 1, (byte)'a'])), digest.Sha256);
    }

    [Fact]
    public void Properties_are_hashed_as_the_encoded_map()
    {
        var digest = Digest(
            new AmqpMessage
            {
                ApplicationProperties = new AmqpMap { { "n", 1 } },
                Body = MessageBody.OfData("x"u8.ToArray()),
            }
        );
        Assert.Equal(Convert.ToHexStringLower(SHA256.HashData([0xc1, 6, 2, 0xa1, 1, (byte)'n', 0x54, 1])), digest.PropertiesSha256);
    }

    [Fact]
    public void Without_properties_there_is_no_hash() => Assert.Null(Digest(new AmqpMessage { Body = MessageBody.OfData("x"u8.ToArray()) }).PropertiesSha256);

    [Fact]
    public void Named_properties_are_kept_as_text()
    {
        var properties = new AmqpMap
        {
            { "run", "r1" },
            { "index", 42L },
            { "other", "secret" },
        };
        var digest = Digest(
            new AmqpMessage { ApplicationProperties = properties, Body = MessageBody.OfData(Encoding.UTF8.GetBytes("x")) },
            "run",
            "index",
            "missing"
        );
        Assert.Equal(new Dictionary<string, string> { ["run"] = "r1", ["index"] = "42" }, digest.Properties);
    }

    [Fact]
    public void The_content_type_is_kept() =>
        Assert.Equal(
            "text/plain",
            Digest(
                new AmqpMessage
                {
                    Properties = new MessageProperties { ContentType = "text/plain" },
                    Body = MessageBody.OfData("x"u8.ToArray()),
                }
            ).ContentType
        );

    private static ContentDigest Digest(AmqpMessage message, params string[] names) => ContentDigest.Of(MessageParts.Parse(message.Encode()), names);
}
