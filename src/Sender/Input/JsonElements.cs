using System.Text.Json;

namespace EventHubThroughput.Sender.Input;

/// <summary>Reads the elements of a file that is one JSON array in bounded memory. Each element keeps the exact bytes of the file.</summary>
internal sealed class JsonElements(string path, int limit, int deepest) : IJsonValues
{
    private readonly Stream stream = InputBytes.Open(path);
    private byte[] buffer = new byte[64 * 1024];
    private JsonReaderState state = new(new JsonReaderOptions { MaxDepth = deepest + 1 });

    // The bytes that are read and not yet consumed are between these two.
    private int position;
    private int available;
    private long line = 1;
    private bool begun;
    private bool hasEnded;

    /// <inheritdoc/>
    public InputLine? Read()
    {
        try
        {
            Begin();
            while (true)
            {
                var json = new Utf8JsonReader(buffer.AsSpan(position, available - position), hasEnded, state);
                if (json.Read() && json.TrySkip())
                {
                    return json.TokenType == JsonTokenType.EndArray && json.CurrentDepth == 0 ? End(ref json) : Take(ref json);
                }

                if (available - position > limit)
                {
                    var rest = buffer.AsSpan(position, available - position);
                    var blanks = rest.IndexOfAnyExcept(" \t\r\n,"u8);
                    throw new MalformedInputException(line + rest[..blanks].Count((byte)'\n'), $"an element of more than {limit:N0} bytes");
                }

                Fill();
            }
        }
        catch (JsonException exception)
        {
            throw new MalformedInputException((exception.LineNumber ?? 0) + 1, $"not valid JSON at byte {exception.BytePositionInLine + 1} of the line");
        }
    }

    public void Dispose() => stream.Dispose();

    private void Begin()
    {
        if (begun)
        {
            return;
        }

        begun = true;
        while (available < 4 && !hasEnded)
        {
            Fill();
        }

        position = buffer.AsSpan(0, available).StartsWith("\uFEFF"u8) ? 3 : 0;
        var json = new Utf8JsonReader(buffer.AsSpan(position, available - position), hasEnded, state);
        if (!json.Read() || json.TokenType != JsonTokenType.StartArray)
        {
            throw new MalformedInputException(1, "not a JSON array. A file with one value a line must end in .jsonl");
        }

        Consume(ref json);
    }

    private InputLine Take(ref Utf8JsonReader json)
    {
        // A skipped value begins where its first token begins.
        var end = position + (int)json.BytesConsumed;
        var element = new Utf8JsonReader(buffer.AsSpan(position, available - position), hasEnded, state);
        element.Read();
        var start = position + (int)element.TokenStartIndex;
        var number = line + buffer.AsSpan(position, start - position).Count((byte)'\n');
        var bytes = buffer.AsSpan(start, end - start).ToArray();
        Consume(ref json);
        return new InputLine(number, bytes, bytes.Length, bytes.Length > limit);
    }

    // Only blanks may follow.
    private InputLine? End(ref Utf8JsonReader json)
    {
        Consume(ref json);
        while (true)
        {
            var rest = buffer.AsSpan(position, available - position);
            if (rest.IndexOfAnyExcept(" \t\r\n"u8) is >= 0 and var found)
            {
                throw new MalformedInputException(line + rest[..found].Count((byte)'\n'), "text follows the array");
            }

            if (hasEnded)
            {
                return null;
            }

            line += rest.Count((byte)'\n');
            position = available;
            Fill();
        }
    }

    private void Consume(ref Utf8JsonReader json)
    {
        var consumed = (int)json.BytesConsumed;
        line += buffer.AsSpan(position, consumed).Count((byte)'\n');
        position += consumed;
        state = json.CurrentState;
    }

    private void Fill()
    {
        if (position > 0)
        {
            buffer.AsSpan(position, available - position).CopyTo(buffer);
            (available, position) = (available - position, 0);
        }

        if (available == buffer.Length)
        {
            Array.Resize(ref buffer, 2 * buffer.Length);
        }

        var read = stream.Read(buffer, available, buffer.Length - available);
        available += read;
        hasEnded = read == 0;
    }
}
