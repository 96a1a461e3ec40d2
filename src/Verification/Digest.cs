using System.Buffers.Binary;

namespace EventHubThroughput.Verification;

/// <summary>A SHA-256 in 32 bytes without an object of its own. The default is no digest and equals none.</summary>
internal readonly record struct Digest(ulong A, ulong B, ulong C, ulong D)
{
    /// <summary>The digest of no bytes at all: what a writer has hashed who lost the body before.</summary>
    public static readonly Digest OfNothing = Parse("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");

    public bool IsNone => this == default;

    public static Digest Parse(string? hexadecimal)
    {
        Span<byte> bytes = stackalloc byte[32];
        return hexadecimal is { Length: 64 }
            && Convert.FromHexString(hexadecimal, bytes, out _, out var written) == System.Buffers.OperationStatus.Done && written == 32
            ? Read(bytes)
            : default;
    }

    public static Digest Read(ReadOnlySpan<byte> bytes) => new(Word(bytes, 0), Word(bytes, 1), Word(bytes, 2), Word(bytes, 3));

    private static ulong Word(ReadOnlySpan<byte> bytes, int index) => BinaryPrimitives.ReadUInt64BigEndian(bytes[(index * sizeof(ulong))..]);
}
