using System.Buffers;
using System.Buffers.Text;
using System.Text.Json;

namespace EventHubThroughput.Journal;

/// <summary>
/// Reads the JSON of the journal's writer: one object without white space whose values are texts, whole numbers, true, false and maps of texts. Journals have
/// gigabytes of it, and a general reader would cost more than all other work on them.
/// </summary>
internal ref struct JsonScanner(ReadOnlySpan<byte> json)
{
    private static readonly SearchValues<byte> EndsText = SearchValues.Create("\"\\"u8);

    private readonly ReadOnlySpan<byte> json = json;

    public int Position { get; private set; }

    public readonly bool AtEnd => Position == json.Length;

    public readonly byte Next => Position < json.Length ? json[Position] : throw new JsonException();

    public void Expect(byte value)
    {
        if (Next != value)
        {
            throw new JsonException();
        }

        Position++;
    }

    /// <summary>Reads past the value's opening, and returns whether there is a first item. Or reads past the comma before the next.</summary>
    public bool More(ref bool isFirst)
    {
        if (Next == (byte)'}')
        {
            Position++;
            return false;
        }

        if (!isFirst)
        {
            Expect((byte)',');
        }

        isFirst = false;
        return true;
    }

    /// <summary>A text's bytes: a part of the line, or a copy when it had escapes.</summary>
    public ReadOnlySpan<byte> Text()
    {
        Expect((byte)'"');
        var start = Position;
        var escaped = false;
        while (true)
        {
            var found = json[Position..].IndexOfAny(EndsText);
            if (found < 0)
            {
                throw new JsonException();
            }

            Position += found + 1;
            if (json[Position - 1] == (byte)'"')
            {
                return escaped ? Unescaped(json[(start - 1)..Position]) : json[start..(Position - 1)];
            }

            escaped = true;
            Position++;
            if (Position > json.Length)
            {
                throw new JsonException();
            }
        }
    }

    public long Number()
    {
        if (
            !Utf8Parser.TryParse(json[Position..], out long value, out var length)
            || Position + length >= json.Length
            || json[Position + length] is not ((byte)',' or (byte)'}')
        )
        {
            throw new JsonException();
        }

        Position += length;
        return value;
    }

    public bool Flag()
    {
        var value = Next == (byte)'t';
        var text = value ? "true"u8 : "false"u8;
        if (!json[Position..].StartsWith(text))
        {
            throw new JsonException();
        }

        Position += text.Length;
        return value;
    }

    /// <summary>The bytes of a map of texts.</summary>
    public ReadOnlySpan<byte> Map()
    {
        var start = Position;
        Expect((byte)'{');
        for (var isFirst = true; More(ref isFirst); )
        {
            Text();
            Expect((byte)':');
            Text();
        }

        return json[start..Position];
    }

    private static byte[] Unescaped(ReadOnlySpan<byte> quoted)
    {
        var reader = new Utf8JsonReader(quoted);
        reader.Read();
        var text = new byte[quoted.Length];
        return text[..reader.CopyString(text)];
    }
}
