using System.Buffers.Binary;
using EventHubThroughput.Journal;
using Microsoft.Win32.SafeHandles;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>Reads a log from its beginning and finds the end of its last complete record.</summary>
internal static class LogRecovery
{
    /// <returns>The length up to the last complete record. The rest belongs to an incomplete record.</returns>
    /// <exception cref="DamagedLogException">
    /// The log is damaged elsewhere than at its end, has another format, or is refused by <paramref name="complete"/>.
    /// </exception>
    public static long Replay(string path, SafeFileHandle file, Action<LogRecord> replay, Action<long>? complete)
    {
        var (records, whole) = Replay(path, file, replay);
        try
        {
            complete?.Invoke(RandomAccess.GetLength(file) - whole);
        }
        catch (InvalidDataException exception)
        {
            throw new DamagedLogException(path, $"record {records + 1} at byte {whole}: {exception.Message}");
        }

        return whole;
    }

    private static (long Records, long Whole) Replay(string path, SafeFileHandle file, Action<LogRecord> replay)
    {
        var length = RandomAccess.GetLength(file);
        CheckHeader(path, file);
        Span<byte> head = stackalloc byte[EntityLog.RecordOverhead];
        var buffer = new byte[64 * 1024];
        long at = sizeof(ulong);
        long number = 1;
        for (; length - at >= EntityLog.RecordOverhead; number++)
        {
            Fill(file, head, at);
            var size = BinaryPrimitives.ReadInt32LittleEndian(head);
            if (size != ~BinaryPrimitives.ReadInt32LittleEndian(head[4..]) || size is < 0 or > EntityLog.LargestRecord)
            {
                return IsBlank(file, at, length) ? (number - 1, at) : throw new DamagedLogException(path, $"record {number} at byte {at} is damaged");
            }

            var end = at + EntityLog.RecordOverhead + size;
            if (end > length)
            {
                break;
            }

            if (buffer.Length < size)
            {
                buffer = new byte[size];
            }

            var payload = buffer.AsMemory(0, size);
            Fill(file, payload.Span, at + EntityLog.RecordOverhead);
            if (Crc32C.Of(payload.Span) != BinaryPrimitives.ReadUInt32LittleEndian(head[8..]))
            {
                return end == length ? (number - 1, at) : throw new DamagedLogException(path, $"record {number} at byte {at}: checksum differs");
            }

            try
            {
                replay(new LogRecord(at + EntityLog.RecordOverhead, payload));
            }
            catch (InvalidDataException exception)
            {
                throw new DamagedLogException(path, $"record {number} at byte {at}: {exception.Message}");
            }

            at = end;
        }

        return (number - 1, at);
    }

    private static void CheckHeader(string path, SafeFileHandle file)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        Fill(file, bytes, 0);
        var header = BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        if (header == EntityLog.Header)
        {
            return;
        }

        throw new DamagedLogException(
            path,
            (uint)header == unchecked((uint)EntityLog.Header) ? $"format {header >> 32} is newer than this program (1)" : "not a log of this program"
        );
    }

    // After a failure of the machine, a file may end in zeros that were never written. They were never acknowledged by a forced write.
    private static bool IsBlank(SafeFileHandle file, long from, long to)
    {
        var buffer = new byte[64 * 1024];
        while (from < to)
        {
            var read = RandomAccess.Read(file, buffer.AsSpan(0, (int)Math.Min(buffer.Length, to - from)), from);
            if (read == 0 || buffer.AsSpan(0, read).ContainsAnyExcept((byte)0))
            {
                return false;
            }

            from += read;
        }

        return true;
    }

    private static void Fill(SafeFileHandle file, Span<byte> into, long offset)
    {
        while (into.Length > 0)
        {
            var read = RandomAccess.Read(file, into, offset);
            if (read == 0)
            {
                throw new EndOfStreamException("the file became shorter while it was read");
            }

            into = into[read..];
            offset += read;
        }
    }
}

/// <summary>A log is damaged before its end, or has another format. It is neither served nor deleted.</summary>
internal sealed class DamagedLogException(string path, string problem) : Exception($"{path}: {problem}");

/// <summary>A record that was read from a log. Its memory belongs to the reader and is valid only until the next record.</summary>
/// <param name="Offset">The start of the payload in the file.</param>
/// <param name="Payload">The bytes that were appended.</param>
internal readonly record struct LogRecord(long Offset, ReadOnlyMemory<byte> Payload);
