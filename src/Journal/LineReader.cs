namespace EventHubThroughput.Journal;

/// <summary>Reads a stream line by line in bounded memory and says when the last line has no end.</summary>
internal sealed class LineReader(Stream stream, int limit) : IDisposable
{
    private byte[] _buffer = new byte[64 * 1024];
    private int _start;
    private int _end;
    private bool _streamEnded;

    /// <summary>The line last read, without its end; valid until the next one is read.</summary>
    public ReadOnlySpan<byte> Line => _buffer.AsSpan(LineStart, LineLength);

    /// <summary>Whether bytes without a line end were left when the stream ended.</summary>
    public bool EndsEarly { get; private set; }

    private int LineStart { get; set; }

    private int LineLength { get; set; }

    /// <summary>False at the end, or at bytes that no line end follows.</summary>
    /// <exception cref="JournalFormatException">The line is longer than the limit.</exception>
    public bool Read()
    {
        var searched = 0;
        while (true)
        {
            var found = _buffer.AsSpan(_start + searched, _end - _start - searched).IndexOf((byte)'\n');
            if (found >= 0)
            {
                LineStart = _start;
                LineLength = searched + found;
                _start += LineLength + 1;
                return true;
            }

            searched = _end - _start;
            if (searched > limit)
            {
                throw new JournalFormatException($"longer than {limit} bytes");
            }

            if (_streamEnded)
            {
                EndsEarly = searched > 0;
                return false;
            }

            Fill();
        }
    }

    public void Dispose() => stream.Dispose();

    private void Fill()
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }

        if (_end == _buffer.Length)
        {
            Array.Resize(ref _buffer, _buffer.Length * 2);
        }

        var read = stream.Read(_buffer, _end, _buffer.Length - _end);
        _end += read;
        _streamEnded = read == 0;
    }
}
