using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

// Stores the stack of an unexpected error in a file that only the owner can read, so that standard error keeps to one line.
internal static class CrashFile
{
    private const int Tries = 100;

    /// <summary>Writes the file. Returns its path, or null if no file could be written.</summary>
    public static string? Write(string program, Exception exception)
    {
        for (var number = 0; number < Tries; number++)
        {
            var path = Path.Combine(Path.GetTempPath(), $"{program}-error-{Environment.ProcessId}-{number}.txt");
            try
            {
                var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
                if (!OperatingSystem.IsWindows())
                {
                    options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
                }

                using var writer = new StreamWriter(path, options);
                writer.WriteLine(SecretMask.Apply(exception.ToString()));
                return path;
            }
            catch (IOException) when (File.Exists(path))
            {
                // Never overwrites a file: it may be a link that another user has placed there.
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException)
            {
                // The runtime throws the last of these for a limit on the size of files.
                return null;
            }
        }

        return null;
    }
}
