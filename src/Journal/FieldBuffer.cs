using System.Buffers;
using System.Buffers.Text;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>
/// Writes the fields of JSON objects one after the other. A general writer costs more than the write to the file. Nearly all text here is plain and needs no
/// escapes, so it is checked in one pass and copied. Not safe for several threads.
/// </summary>
internal sealed class FieldBuffer
{
    private const int LargestKept = 256 * 1024;
    private const int LongestNumber = 20;
    private const int LongestEscape = 6;

    // Printable ASCII except the quotation mark and the backslash.
    private static readonly SearchValues<char> Plain = SearchValues.Create(
        string.Concat(Enumerable.Range(' ', '~' - ' ' + 1).Select(static code => (char)code).Where(static letter => letter is not ('"' or '\\')))
    );

    private byte[] bytes = new byte[4096];

    public int Length { get; private set; }

    public ReadOnlySpan<byte> this[Range range] => bytes.AsSpan(range);

    public void Clear()
    {
        Length = 0;
        if (bytes.Length > LargestKept)
        {
            bytes = new byte[4096];
        }
    }

    public void Add(JsonEncodedText name, long value)
    {
        Name(name);
        Reserve(LongestNumber);
        Utf8Formatter.TryFormat(value, bytes.AsSpan(Length), out var written);
        Length += written;
    }

    public void Add(JsonEncodedText name, JsonEncodedText value)
    {
        Name(name);
        Quoted(value.EncodedUtf8Bytes);
    }

    /// <summary>Left out when null.</summary>
    public void Add(JsonEncodedText name, string? value)
    {
        if (value is not null)
        {
            Name(name);
            Text(value);
        }
    }

    /// <summary>Left out when null.</summary>
    public void AddHash(JsonEncodedText name, string? value)
    {
        Span<byte> encoded = stackalloc byte[64];
        if (value is not null && HashText.TryWrite(value, encoded, out var length))
        {
            Name(name);
            Quoted(encoded[..length]);
        }
        else
        {
            Add(name, value);
        }
    }

    /// <summary>Left out when false.</summary>
    public void Add(JsonEncodedText name, bool value)
    {
        if (value)
        {
            Name(name);
            Raw("true"u8);
        }
    }

    /// <summary>Left out when null.</summary>
    public void Add(JsonEncodedText name, IReadOnlyDictionary<string, string>? map)
    {
        if (map is null)
        {
            return;
        }

        Name(name);
        Raw("{"u8);
        var isFirst = true;
        foreach (var (key, value) in map)
        {
            if (!isFirst)
            {
                Raw(","u8);
            }

            isFirst = false;
            Text(key);
            Raw(":"u8);
            Text(value);
        }

        Raw("}"u8);
    }

    public void Raw(ReadOnlySpan<byte> text)
    {
        Reserve(text.Length);
        text.CopyTo(bytes.AsSpan(Length));
        Length += text.Length;
    }

    private void Name(JsonEncodedText name)
    {
        Raw(","u8);
        Quoted(name.EncodedUtf8Bytes);
        Raw(":"u8);
    }

    private void Quoted(ReadOnlySpan<byte> encoded)
    {
        Raw("\""u8);
        Raw(encoded);
        Raw("\""u8);
    }

    private void Text(string value)
    {
        if (value.AsSpan().ContainsAnyExcept(Plain))
        {
            Escaped(Encoding.UTF8.GetBytes(value));
            return;
        }

        Raw("\""u8);
        Reserve(value.Length);
        Length += Encoding.ASCII.GetBytes(value, bytes.AsSpan(Length));
        Raw("\""u8);
    }

    private void Escaped(byte[] text)
    {
        Raw("\""u8);
        Reserve(text.Length * LongestEscape);
        JavaScriptEncoder.UnsafeRelaxedJsonEscaping.EncodeUtf8(text, bytes.AsSpan(Length), out _, out var written);
        Length += written;
        Raw("\""u8);
    }

    private void Reserve(int count)
    {
        if (bytes.Length - Length < count)
        {
            Array.Resize(ref bytes, Math.Max(bytes.Length * 2, Length + count));
        }
    }
}
