using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

// Where the stack of an unexpected error goes: a file for the owner's eyes, so that standard error keeps its one line.
internal static class CrashFile
{
    private const int Tries = 100;

    /// <summary>The path of the file written, or null when none could be written.</summary>
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
                // Never into a file that was there before: it may be a link laid out by somebody else.
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException)
            {
                // The last is what the runtime makes of a limit on the size of files.
                return null;
            }
        }

        return null;
    }
}
