using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace EventHubThroughput.Journal;

/// <summary>
/// SHA-256 in the journal's lines: base64 without padding, with the URL-safe alphabet, a third shorter than hexadecimal. Hexadecimal, as in versions before
/// 8, can be read as well.
/// </summary>
public static class HashText
{
    private const int Bytes = 32;
    private const int Base64Length = 43;

    /// <summary>Reads the bytes of a hash.</summary>
    /// <param name="text">A field of the journal or ledger, in UTF-8.</param>
    /// <param name="hash">Receives 32 bytes.</param>
    /// <returns>False when the text is not a SHA-256.</returns>
    public static bool TryRead(ReadOnlySpan<byte> text, Span<byte> hash)
    {
        int written;
        var status = text.Length switch
        {
            2 * Bytes => Convert.FromHexString(text, hash, out _, out written),
            Base64Length => Base64Url.DecodeFromUtf8(text, hash, out _, out written),
            _ => Refused(out written),
        };
        return status == OperationStatus.Done && written == Bytes;
    }

    /// <summary>The form of records: lower-case hexadecimal. Another text stays unchanged.</summary>
    internal static string OfRecord(ReadOnlySpan<byte> text)
    {
        Span<byte> hash = stackalloc byte[Bytes];
        return text.Length == Base64Length && TryRead(text, hash) ? Convert.ToHexStringLower(hash) : Encoding.UTF8.GetString(text);
    }

    /// <summary>The form of lines. False when the record's text is not lower-case hexadecimal, which is then written unchanged.</summary>
    internal static bool TryWrite(string record, Span<byte> into, out int length)
    {
        Span<byte> hash = stackalloc byte[Bytes];
        length = 0;
        return record.Length == 2 * Bytes
            && !record.AsSpan().ContainsAnyInRange('A', 'F')
            && Convert.FromHexString(record, hash, out _, out _) == OperationStatus.Done
            && Base64Url.TryEncodeToUtf8(hash, into, out length);
    }

    private static OperationStatus Refused(out int written)
    {
        written = 0;
        return OperationStatus.InvalidData;
    }
}
