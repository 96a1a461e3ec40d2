using EventHubThroughput.Journal.Files;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Embedded;

/// <summary>
/// A separate folder for an embedded run, which only its user can read. It holds ledger, journal, and what the emulator moves out of memory. It is deleted
/// afterwards unless it is to be kept.
/// </summary>
internal sealed class EmbeddedFolder : IDisposable
{
    private readonly TemporaryFolder? temporary;

    private EmbeddedFolder(string path, TemporaryFolder? temporary)
    {
        Path = path;
        this.temporary = temporary;
    }

    public string Path { get; }

    public string Journal => JournalIn(Path);

    public string Ledger => LedgerIn(Path);

    public static string JournalIn(string folder) => System.IO.Path.Combine(folder, "journal.jsonl");

    public static string LedgerIn(string folder) => System.IO.Path.Combine(folder, "ledger.jsonl");

    /// <param name="kept">The folder to keep them in, or null for a temporary one.</param>
    /// <exception cref="FailureException">It cannot be made.</exception>
    public static EmbeddedFolder Create(string? kept)
    {
        if (kept is null)
        {
            var created = WorkingFolder.Create("consumer");
            return new EmbeddedFolder(created.Path, created);
        }

        try
        {
            var full = System.IO.Path.GetFullPath(kept);
            if (OperatingSystem.IsWindows())
            {
                Directory.CreateDirectory(full);
            }
            else
            {
                Directory.CreateDirectory(full, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            }

            return new EmbeddedFolder(full, temporary: null);
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw new FailureException(FailureCause.NotWritable, $"--keep {kept}: {OutputFile.Describe(exception)}", exception);
        }
    }

    public void Dispose() => temporary?.Dispose();
}
