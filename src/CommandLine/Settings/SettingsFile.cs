namespace EventHubThroughput.CommandLine.Settings;

// A file of limited size, or one line that says why it cannot be had.
internal static class SettingsFile
{
    public static byte[] Read(string path, int limit)
    {
        if (Directory.Exists(path))
        {
            throw new UsageException($"{path}: is a folder");
        }

        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);

            // One byte more than allowed is enough to know; a pipe has no length to ask for.
            var bytes = new byte[limit + 1];
            var read = file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            return read <= limit ? bytes[..read] : throw new UsageException($"{path}: larger than {limit} bytes");
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new UsageException($"{path}: not found");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{path}: cannot be read");
        }
    }
}
