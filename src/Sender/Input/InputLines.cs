namespace EventHubThroughput.Sender.Input;

/// <summary>
/// Reads a file line by line in bounded memory. The rest of a line over the limit is counted and dropped. A line ends with LF, or with CR and LF.
/// </summary>
internal sealed class InputLines(string path, int limit) : IJsonValues
{
    private readonly Stream stream = InputBytes.Open(path);
    private readonly byte[] buffer = new byte[64 * 1024];
    private int position;
    private int available;
    private long number;
    private bool ended;

    /// <inheritdoc/>
    public InputLine? Read()
    {
        if (ended)
        {
            return null;
        }

        using var line = new MemoryStream();
        long length = 0;
        var last = 0;
        while (true)
        {
            if (position == available)
            {
                position = 0;
                available = stream.Read(buffer);
                if (available == 0)
                {
                    ended = true;
                    return length == 0 ? null : Finish(line, length, last);
                }
            }

            var rest = buffer.AsSpan(position, available - position);
            var found = rest.IndexOf((byte)'\n');
            var part = found < 0 ? rest : rest[..found];
            // One byte more than the limit, because the last one may belong to the line end.
            line.Write(part[..(int)Math.Min(part.Length, Math.Max(0, limit + 1 - line.Length))]);
            last = part.IsEmpty ? last : part[^1];
            length += part.Length;
            position += part.Length + (found < 0 ? 0 : 1);
            if (found >= 0)
            {
                return Finish(line, length, last);
            }
        }
    }

    public void Dispose() => stream.Dispose();

    private InputLine Finish(MemoryStream line, long length, int last)
    {
        number++;
        length -= last == '\r' && length > 0 ? 1 : 0;
        ReadOnlyMemory<byte> bytes = line.ToArray();
        bytes = bytes[..(int)Math.Min(length, bytes.Length)];
        if (number == 1 && bytes.Span.StartsWith("\uFEFF"u8))
        {
            bytes = bytes[3..];
            length -= 3;
        }

        return new InputLine(number, bytes, length, length > limit);
    }
}
