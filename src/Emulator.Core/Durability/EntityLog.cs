using System.Buffers.Binary;
using EventHubThroughput.Emulator.Logs;
using EventHubThroughput.Journal;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Win32.SafeHandles;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>
/// The write-ahead log of one entity: a header of eight bytes, then records of length, CRC-32C and payload. A record is one
/// write, whole or not there: what a killed process left torn at the end is cut off when the log is opened again. Appending
/// and rewriting are for one caller at a time (the entity's own lock). Slices are read beside them.
/// </summary>
internal sealed class EntityLog : IDisposable
{
    /// <summary>Length, its complement, checksum.</summary>
    public const int RecordOverhead = 12;

    /// <summary>A blob of the largest size and its metadata fit.</summary>
    public const int LargestRecord = 512 * 1024 * 1024;

    /// <summary>The letters ELOG, then the format's version.</summary>
    public const ulong Header = 0x0000_0001_474F_4C45;

    private const int LargestKeptFrame = 1024 * 1024;

    private readonly string _path;
    private readonly SyncPolicy _policy;

    // Replaced by a rewrite, under the entity's lock. Readers keep the one they took.
    private volatile SafeFileHandle _file;
    private byte[] _frame = new byte[4096];
    private volatile bool _unsynced;

    // Whether the file's name itself is still to be forced to the disk.
    private volatile bool _isNew;

    private EntityLog(string path, SyncPolicy policy, SafeFileHandle file, long length, ILogger log)
    {
        Log = log;
        _path = path;
        _policy = policy;
        _file = file;
        Length = length;
    }

    /// <summary>Told of what the disk refuses: here once, whatever those make of it who asked.</summary>
    public ILogger Log { get; }

    /// <summary>Bytes in the file, dead records included.</summary>
    public long Length { get; private set; }

    /// <summary>Opens or creates a log and hands every whole record to <paramref name="replay"/>, in order.</summary>
    /// <param name="path">The file. Its folder exists.</param>
    /// <param name="policy">When records are forced to the disk.</param>
    /// <param name="replay">Called for each record.</param>
    /// <param name="torn">Bytes of an unfinished record that were cut off.</param>
    /// <param name="complete">
    /// Called behind the last whole record with the bytes of the unfinished one, before these are cut off. Throws
    /// <see cref="InvalidDataException"/> when others have been written since: then it is damage.
    /// </param>
    /// <param name="log">Told of what the disk refuses from then on. Or null.</param>
    /// <exception cref="DamagedLogException">Damaged elsewhere than at its end, or not a log of this format.</exception>
    public static EntityLog Open(string path, SyncPolicy policy, Action<LogRecord> replay, out long torn, Action<long>? complete = null, ILogger? log = null)
    {
        var file = OpenFile(path, FileMode.OpenOrCreate);
        try
        {
            var isNew = RandomAccess.GetLength(file) < sizeof(ulong);
            if (isNew)
            {
                // New, or killed while it was made: nothing was ever acknowledged from it.
                WriteHeader(file);
            }

            var whole = LogRecovery.Replay(path, file, replay, complete);
            torn = RandomAccess.GetLength(file) - whole;
            RandomAccess.SetLength(file, whole);
            return new EntityLog(path, policy, file, whole, log ?? NullLogger.Instance) { _isNew = isNew };
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Appends one record. When this returns, it survives the death of the process (of the machine: by the policy).</summary>
    /// <returns>Where its payload begins.</returns>
    /// <exception cref="IOException">It could not be written, as on a full disk. The log is as it was before.</exception>
    public long Append(params ReadOnlySpan<ReadOnlyMemory<byte>> parts)
    {
        var at = Length;
        var frame = Frame(parts);
        try
        {
            RandomAccess.Write(_file, frame, at);
            if (_policy == SyncPolicy.Always)
            {
                RandomAccess.FlushToDisk(_file);
                SynchroniseName();
            }
        }
        catch (ArgumentOutOfRangeException exception)
        {
            EmulatorLog.RecordNotWritten(Log, _path, exception);
            RandomAccess.SetLength(_file, at);
            throw WholeFile.MayNotGrow(exception);
        }
        catch (Exception exception)
        {
            EmulatorLog.RecordNotWritten(Log, _path, exception);

            // A part of it must not stand before the next record.
            RandomAccess.SetLength(_file, at);
            throw;
        }

        Length = at + frame.Length;
        _unsynced = true;
        return at + RecordOverhead;
    }

    public long Append(RecordWriter record) => Append(record.WrittenMemory);

    /// <summary>Takes back the newest record, whose write was refused for another reason after it had been appended.</summary>
    /// <param name="payload">Where its payload begins, as <see cref="Append(ReadOnlySpan{ReadOnlyMemory{byte}})"/> said.</param>
    public void Retract(long payload)
    {
        try
        {
            RandomAccess.SetLength(_file, payload - RecordOverhead);
        }
        catch (Exception exception)
        {
            EmulatorLog.RecordNotRetracted(Log, _path, exception);
            throw;
        }

        Length = payload - RecordOverhead;
    }

    /// <summary>Bytes of a payload, to be read from the file whenever they are needed, even after a rewrite.</summary>
    public StoredBytes Slice(long offset, long length) => new(_path, _file, offset, length);

    /// <summary>
    /// Writes a new log that holds only what <paramref name="write"/> appends, and puts it in the place of the old one. Fails
    /// without touching the old one.
    /// </summary>
    public void Rewrite(Action<EntityLog> write)
    {
        var temporary = _path + ".new";
        File.Delete(temporary);
        var file = OpenFile(temporary, FileMode.CreateNew);
        var fresh = new EntityLog(temporary, SyncPolicy.Never, file, sizeof(ulong), Log);
        try
        {
            WriteHeader(file);
            write(fresh);
            RandomAccess.FlushToDisk(file);
            File.Move(temporary, _path, overwrite: true);
        }
        catch (Exception exception)
        {
            EmulatorLog.LogNotRewritten(Log, _path, exception);
            file.Dispose();
            File.Delete(temporary);
            throw;
        }

        // Slices of the old file go on reading it. It goes with the last of them. Until the new name is forced to the disk, with
        // the next append or synchronisation, a machine that dies finds the old file, which says the same.
        (_file, Length) = (file, fresh.Length);
        (_isNew, _unsynced) = (_policy != SyncPolicy.Never, true);
    }

    /// <summary>Forces what was appended to the disk, unless the policy leaves that to the system.</summary>
    public void Synchronise()
    {
        if (_unsynced && _policy != SyncPolicy.Never)
        {
            _unsynced = false;
            try
            {
                RandomAccess.FlushToDisk(_file);
                SynchroniseName();
            }
            catch (Exception exception)
            {
                _unsynced = true;
                if (exception is not ObjectDisposedException)
                {
                    EmulatorLog.LogNotSynchronised(Log, _path, exception);
                }

                throw;
            }
        }
    }

    public void Dispose() => _file.Dispose();

    private void SynchroniseName()
    {
        if (_isNew)
        {
            WholeFile.SynchroniseFolder(Path.GetDirectoryName(_path)!);
            _isNew = false;
        }
    }

    private static SafeFileHandle OpenFile(string path, FileMode mode)
    {
        var options = new FileStreamOptions
        {
            Mode = mode,
            Access = FileAccess.ReadWrite,
            Share = FileShare.Read | FileShare.Delete,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        using (new FileStream(path, options))
        {
            return File.OpenHandle(path, FileMode.Open, options.Access, options.Share);
        }
    }

    private static void WriteHeader(SafeFileHandle file)
    {
        Span<byte> header = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(header, Header);
        RandomAccess.SetLength(file, 0);
        try
        {
            RandomAccess.Write(file, header, 0);
        }
        catch (ArgumentOutOfRangeException exception)
        {
            throw WholeFile.MayNotGrow(exception);
        }
    }

    private ReadOnlySpan<byte> Frame(ReadOnlySpan<ReadOnlyMemory<byte>> parts)
    {
        var length = 0;
        foreach (var part in parts)
        {
            length = checked(length + part.Length);
        }

        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, LargestRecord, nameof(parts));
        var frame = _frame.Length < length + RecordOverhead ? new byte[length + RecordOverhead] : _frame;
        if (frame.Length <= LargestKeptFrame)
        {
            _frame = frame;
        }

        var at = RecordOverhead;
        foreach (var part in parts)
        {
            part.Span.CopyTo(frame.AsSpan(at));
            at += part.Length;
        }

        BinaryPrimitives.WriteInt32LittleEndian(frame, length);
        BinaryPrimitives.WriteInt32LittleEndian(frame.AsSpan(4), ~length);
        BinaryPrimitives.WriteUInt32LittleEndian(frame.AsSpan(8), Crc32C.Of(frame.AsSpan(RecordOverhead, length)));
        return frame.AsSpan(0, length + RecordOverhead);
    }
}
