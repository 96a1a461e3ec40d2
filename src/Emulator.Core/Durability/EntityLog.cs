using System.Buffers.Binary;
using EventHubThroughput.Emulator.Logs;
using EventHubThroughput.Journal;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Win32.SafeHandles;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>
/// The write-ahead log of one entity: a header of eight bytes, then records of length, CRC-32C and payload. A record is one write and is atomic. An incomplete
/// record of a killed process is cut off when the log is opened again. Appending and rewriting are for one caller at a time (under the lock of the entity).
/// Slices may be read concurrently.
/// </summary>
internal sealed class EntityLog : IDisposable
{
    /// <summary>Length, its complement, checksum.</summary>
    public const int RecordOverhead = 12;

    /// <summary>Enough for a blob of the largest size and its metadata.</summary>
    public const int LargestRecord = 512 * 1024 * 1024;

    /// <summary>The letters ELOG, then the version of the format.</summary>
    public const ulong Header = 0x0000_0001_474F_4C45;

    private const int LargestKeptFrame = 1024 * 1024;

    private readonly string _path;
    private readonly SyncPolicy _policy;

    // Replaced by a rewrite, under the lock of the entity. Readers keep the handle that they took.
    private volatile SafeFileHandle _file;
    private byte[] _frame = new byte[4096];
    private volatile bool _unsynced;

    // Whether the name of the file must still be forced to the disk.
    private volatile bool _isNew;

    private EntityLog(string path, SyncPolicy policy, SafeFileHandle file, long length, ILogger log)
    {
        Log = log;
        _path = path;
        _policy = policy;
        _file = file;
        Length = length;
    }

    /// <summary>The log of disk failures. Each is logged here once, however its caller handles it.</summary>
    public ILogger Log { get; }

    /// <summary>The bytes of the file, including dead records.</summary>
    public long Length { get; private set; }

    /// <summary>Opens or creates a log and passes every complete record to <paramref name="replay"/>, in order.</summary>
    /// <param name="path">The file. Its folder exists.</param>
    /// <param name="policy">When records are forced to the disk.</param>
    /// <param name="replay">Called for each record.</param>
    /// <param name="torn">The bytes of an incomplete record that were cut off.</param>
    /// <param name="complete">
    /// Called after the last complete record with the bytes of the incomplete one, before these are cut off. Throws <see cref="InvalidDataException"/> if other
    /// logs were written later, because then the log is damaged.
    /// </param>
    /// <param name="log">The log of later disk failures, or null.</param>
    /// <exception cref="DamagedLogException">The log is damaged elsewhere than at its end, or has another format.</exception>
    public static EntityLog Open(string path, SyncPolicy policy, Action<LogRecord> replay, out long torn, Action<long>? complete = null, ILogger? log = null)
    {
        var file = OpenFile(path, FileMode.OpenOrCreate);
        try
        {
            var isNew = RandomAccess.GetLength(file) < sizeof(ulong);
            if (isNew)
            {
                // The file is new, or the process was killed while it was created. No write to it was ever acknowledged.
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

    /// <summary>
    /// Appends one record. After this call it survives the end of the process. Whether it survives a failure of the machine depends on the policy.
    /// </summary>
    /// <returns>The start of its payload.</returns>
    /// <exception cref="IOException">The record could not be written, for example on a full disk. The log is unchanged.</exception>
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

            // A part of the record must not precede the next one.
            RandomAccess.SetLength(_file, at);
            throw;
        }

        Length = at + frame.Length;
        _unsynced = true;
        return at + RecordOverhead;
    }

    public long Append(RecordWriter record) => Append(record.WrittenMemory);

    /// <summary>Removes the newest record, whose write was refused for another reason after the append.</summary>
    /// <param name="payload">The start of its payload, as returned by <see cref="Append(ReadOnlySpan{ReadOnlyMemory{byte}})"/>.</param>
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

    /// <summary>Bytes of a payload. They are read from the file on demand, even after a rewrite.</summary>
    public StoredBytes Slice(long offset, long length) => new(_path, _file, offset, length);

    /// <summary>Replaces the log by a new one that holds only what <paramref name="write"/> appends. A failure leaves the old one unchanged.</summary>
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

        // Slices of the old file continue to read it, and it is deleted with the last of them. The new name is forced to the disk with the next append or
        // synchronisation. If the machine fails before that, the old file is found, with the same content.
        (_file, Length) = (file, fresh.Length);
        (_isNew, _unsynced) = (_policy != SyncPolicy.Never, true);
    }

    /// <summary>Forces appended records to the disk, unless the policy leaves that to the operating system.</summary>
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
