using EventHubThroughput.Settings;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>
/// Checks the kinds of entries in a data directory. The emulator creates only files, and folders of files. Through a link it would write to a file of another
/// user. A pipe or a device could block its start for ever.
/// </summary>
internal static class FolderContent
{
    /// <param name="path">The folder.</param>
    /// <exception cref="EmulatorException">The folder contains an entry that is neither a file nor a folder of files.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static void Check(string path)
    {
        foreach (var entry in new DirectoryInfo(path).EnumerateFileSystemInfos())
        {
            if (entry is DirectoryInfo folder && entry.LinkTarget is null && !Path.HasExtension(entry.Name) && !IsFile(entry.Name))
            {
                foreach (var inner in folder.EnumerateFileSystemInfos())
                {
                    Check(path, $"{folder.Name}/{inner.Name}", inner);
                }
            }
            else
            {
                Check(path, entry.Name, entry);
            }
        }
    }

    private static bool IsFile(string name) => name is "lock" or "key";

    private static void Check(string path, string name, FileSystemInfo entry)
    {
        var kind = entry.LinkTarget is not null ? "a link" : NamedFile.GetOtherKind(entry.FullName);
        if (kind is not null)
        {
            throw new EmulatorException(
                EmulatorErrorKind.InvalidInput,
                EmulatorSetting.DataPath,
                path,
                $"{name} is {kind}, allowed are files and folders that an emulator made"
            );
        }
    }
}
