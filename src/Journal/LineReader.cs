namespace EventHubThroughput.Journal;

/// <summary>Reads a stream line by line in bounded memory and reports whether the last line has no end.</summary>
internal sealed class LineReader(Stream stream, int limit) : IDisposable
{
    private byte[] buffer = new byte[256 * 1024];
    private int start;
    private int end;
    private bool streamEnded;

    /// <summary>The present line, without its end. Valid until the next one is read.</summary>
    public ReadOnlySpan<byte> Line => buffer.AsSpan(LineStart, LineLength);

    /// <summary>Whether bytes without a line end were left when the stream ended.</summary>
    public bool EndsEarly { get; private set; }

    /// <summary>Bytes of the lines read so far, with their ends.</summary>
    public long WholeBytes { get; private set; }

    /// <summary>The start of the present line in the buffer.</summary>
    public int LineStart { get; private set; }

    /// <summary>The buffer with the present line, and others.</summary>
    public byte[] Buffer => buffer;

    private int LineLength { get; set; }

    /// <summary>False at the end, or at bytes without a line end. A later call reads what was added to the stream.</summary>
    /// <exception cref="JournalFormatException">The line is longer than the limit.</exception>
    public bool Read()
    {
        var searched = 0;
        while (true)
        {
            var found = buffer.AsSpan(start + searched, end - start - searched).IndexOf((byte)'\n');
            if (found >= 0)
            {
                LineStart = start;
                LineLength = searched + found;
                start += LineLength + 1;
                WholeBytes += LineLength + 1;
                return true;
            }

            searched = end - start;
            if (searched > limit)
            {
                throw new JournalFormatException($"longer than {limit} bytes");
            }

            if (streamEnded)
            {
                EndsEarly = searched > 0;
                streamEnded = false;
                return false;
            }

            Fill();
        }
    }

    public void Dispose() => stream.Dispose();

    private void Fill()
    {
        if (start > 0)
        {
            buffer.AsSpan(start, end - start).CopyTo(buffer);
            end -= start;
            start = 0;
        }

        if (end == buffer.Length)
        {
            Array.Resize(ref buffer, buffer.Length * 2);
        }

        var read = stream.Read(buffer, end, buffer.Length - end);
        end += read;
        streamEnded = read == 0;
    }
}
