using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>The checksum is the same however its bytes come.</summary>
public sealed class Crc64Tests
{
    [Fact]
    public void Gives_the_check_value_of_the_catalogue() => Assert.Equal("iJh5CoYUi64=", Of("123456789"u8));

    [Fact]
    public void Is_the_same_for_bytes_that_come_together_and_for_each_alone() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                ArbMap.Default.ArbFor<byte[]>(),
                static bytes =>
                {
                    Crc64 single = new();
                    for (var i = 0; i < bytes.Length; i++)
                    {
                        single.Append(bytes.AsSpan(i, 1));
                    }

                    return single.ToBase64() == Of(bytes);
                }
            )
        );

    private static string Of(ReadOnlySpan<byte> bytes)
    {
        Crc64 checksum = new();
        checksum.Append(bytes);
        return checksum.ToBase64();
    }
}
