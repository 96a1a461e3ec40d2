namespace EventHubThroughput.Consumer.Embedded;

/// <summary>Where an embedded run keeps ledger and journal: a folder of its own that only its user can read, deleted afterwards unless it is to be kept.</summary>
internal sealed class EmbeddedFolder : IDisposable
{
    private readonly bool keep;

    private EmbeddedFolder(string path, bool keep)
    {
        Path = path;
        this.keep = keep;

        // A second signal ends the process without unwinding.
        AppDomain.CurrentDomain.ProcessExit += OnExit;
    }

    public string Path { get; }

    public string Journal => System.IO.Path.Combine(Path, "journal.jsonl");

    public string Ledger => System.IO.Path.Combine(Path, "ledger.jsonl");

    /// <param name="kept">The folder to keep them in, or null for a temporary one.</param>
    public static EmbeddedFolder Create(string? kept)
    {
        if (kept is null)
        {
            // Mode 0700 by the runtime's own promise.
            return new EmbeddedFolder(Directory.CreateTempSubdirectory("consumer-").FullName, keep: false);
        }

        var full = System.IO.Path.GetFullPath(kept);
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(full);
        }
        else
        {
            Directory.CreateDirectory(full, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        return new EmbeddedFolder(full, keep: true);
    }

    public void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= OnExit;
        Delete();
    }

    private void OnExit(object? sender, EventArgs arguments) => Delete();

    private void Delete()
    {
        if (!keep)
        {
            try
            {
                Directory.Delete(Path, recursive: true);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // Left to the system's own cleaning of temporary folders.
            }
        }
    }
}
