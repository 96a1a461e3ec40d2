using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Journal.Files;
using Microsoft.Win32.SafeHandles;

namespace EventHubThroughput.Emulator.Storage;

/// <summary>
/// Bodies that do not fit into memory, in files without a name. A file is closed, and its space is freed, when none of its bytes is referenced. Deleted data
/// therefore stays readable for active readers. Safe for several threads.
/// </summary>
internal sealed class SpillFolder : IDisposable
{
    // Few descriptors for much content: a hundred for 25 GiB.
    private const long LargestFile = 256L * 1024 * 1024;

    private readonly Lock _gate = new();
    private readonly string _folder;

    // Guarded by the gate.
    private SafeFileHandle _file;
    private long _length;

    // The earlier files, as long as their bytes are referenced.
    private readonly List<WeakReference<SafeFileHandle>> _full = [];

    private SpillFolder(string folder, SafeFileHandle file) => (_folder, _file) = (folder, file);

    /// <exception cref="EmulatorException">The folder does not exist or cannot be written.</exception>
    public static SpillFolder Open(string folder)
    {
        var path = Path.GetFullPath(folder);
        try
        {
            return new SpillFolder(path, NewFile(path));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new EmulatorException(
                EmulatorErrorKind.NotWritable,
                EmulatorSetting.SpillPath,
                folder,
                $"cannot be written ({exception.Message})",
                exception
            );
        }
    }

    /// <summary>Writes bytes. Null when the disk has no room for them.</summary>
    public StoredBytes? TryWrite(ReadOnlySpan<byte> bytes)
    {
        try
        {
            var (file, offset) = Take(bytes.Length);
            RandomAccess.Write(file, bytes, offset);
            return new StoredBytes(_folder, file, offset, bytes.Length);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            return null;
        }
    }

    /// <summary>Closes all files. Their bytes cannot be read any more.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _file.Dispose();
            foreach (var reference in _full)
            {
                if (reference.TryGetTarget(out var file))
                {
                    file.Dispose();
                }
            }

            _full.Clear();
        }
    }

    private (SafeFileHandle File, long Offset) Take(int length)
    {
        lock (_gate)
        {
            if (_length >= LargestFile)
            {
                var next = NewFile(_folder);
                _full.RemoveAll(static file => !file.TryGetTarget(out _));
                _full.Add(new WeakReference<SafeFileHandle>(_file));
                (_file, _length) = (next, 0);
            }

            var offset = _length;
            _length += length;
            return (_file, offset);
        }
    }

    // The stream is released, but its handle stays open until the last reader of its bytes has released it.
    private static SafeFileHandle NewFile(string folder) => NamelessFile.Create(folder, "eht-spill").SafeFileHandle;
}
