using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Journal.Files;
using Microsoft.Win32.SafeHandles;

namespace EventHubThroughput.Emulator.Storage;

/// <summary>
/// Bodies that memory has no room for, in files without a name. A file is closed, and the disk has its room again, once nothing refers to
/// any of its bytes. So what is deleted while somebody reads it stays readable. Safe for several threads.
/// </summary>
internal sealed class SpillFolder : IDisposable
{
    // Few descriptors for much content: a hundred for 25 GiB.
    private const long LargestFile = 256L * 1024 * 1024;

    private readonly Lock _gate = new();
    private readonly string _folder;

    // Under the gate.
    private SafeFileHandle _file;
    private long _length;

    // Those before, as long as something refers to their bytes.
    private readonly List<WeakReference<SafeFileHandle>> _full = [];

    private SpillFolder(string folder, SafeFileHandle file) => (_folder, _file) = (folder, file);

    /// <exception cref="EmulatorException">The folder is not there or cannot be written.</exception>
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

    /// <summary>Closes all files. No bytes can be read any more.</summary>
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

    // The stream is let go of, its handle lives on: it closes when the last reader of its bytes has let go of it too.
    private static SafeFileHandle NewFile(string folder) => NamelessFile.Create(folder, "eht-spill").SafeFileHandle;
}
