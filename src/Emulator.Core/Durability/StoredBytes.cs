using Microsoft.Win32.SafeHandles;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>Bytes in the file of a log, read on demand. Safe for several threads.</summary>
internal sealed class StoredBytes(string path, SafeFileHandle file, long offset, long length)
{
    public long Length { get; } = length;

    /// <summary>Fills <paramref name="into"/> with the bytes from <paramref name="from"/> on. It must not exceed their end.</summary>
    /// <exception cref="DamagedLogException">The file is shorter than it was.</exception>
    public void Read(long from, Span<byte> into)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(from + into.Length, Length, nameof(into));
        while (into.Length > 0)
        {
            var read = RandomAccess.Read(file, into, offset + from);
            if (read == 0)
            {
                throw new DamagedLogException(path, $"ends before byte {offset + from}");
            }

            into = into[read..];
            from += read;
        }
    }
}
