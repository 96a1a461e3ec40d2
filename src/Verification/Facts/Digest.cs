using System.Buffers.Binary;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Facts;

/// <summary>
/// A SHA-256 folded to half its length, so that ten million of them fit in small files. A difference of one bit still shows. The default value is not a
/// digest and equals none.
/// </summary>
internal readonly record struct Digest(ulong High, ulong Low)
{
    private const int Length = 32;

    /// <summary>The digest of no bytes: a writer that has lost the body before hashing it stores this.</summary>
    public static readonly Digest OfNothing = Parse("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"u8);

    public bool IsNone => this == default;

    /// <summary>Reads the text of a hash. Returns the default when it is not a SHA-256.</summary>
    public static Digest Parse(ReadOnlySpan<byte> text)
    {
        Span<byte> bytes = stackalloc byte[Length];
        return HashText.TryRead(text, bytes) ? Fold(bytes) : default;
    }

    public static Digest Fold(ReadOnlySpan<byte> sha256) => new(Word(sha256, 0) ^ Word(sha256, 2), Word(sha256, 1) ^ Word(sha256, 3));

    private static ulong Word(ReadOnlySpan<byte> bytes, int index) => BinaryPrimitives.ReadUInt64BigEndian(bytes[(index * sizeof(ulong))..]);
}
