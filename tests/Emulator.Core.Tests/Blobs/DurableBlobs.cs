using EventHubThroughput.Emulator.Blobs;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>A blob endpoint over a folder, which can be stopped, killed and started again.</summary>
internal sealed class DurableBlobs : IAsyncDisposable
{
    private readonly string root = Directory.CreateTempSubdirectory("blobs").FullName;
    private readonly TimeProvider clock;
    private DataDirectory data;
    private int generation;

    private DurableBlobs(TimeProvider clock)
    {
        this.clock = clock;
        data = Open();
        Service = null!;
    }

    public BlobService Service { get; private set; }

    public MemoryBudget Budget { get; private set; } = null!;

    /// <summary>Holds from the next start on.</summary>
    public long MemoryLimit { get; set; } = 16 * 1024 * 1024;

    /// <summary>Written to from the next start on.</summary>
    public JournalWriter? Journal { get; set; }

    public StringWriter Diagnostics { get; } = new();

    /// <summary>The log of a container.</summary>
    public string GetLog(string container) => Path.Combine(Folder, "containers", container + ".log");

    private string Folder => Path.Combine(root, $"{generation}");

    public static async Task<DurableBlobs> StartAsync(TimeProvider clock, CancellationToken cancellationToken)
    {
        DurableBlobs blobs = new(clock);
        await blobs.StartServiceAsync(cancellationToken);
        return blobs;
    }

    public async Task RestartAsync(CancellationToken cancellationToken)
    {
        await StopAsync();
        data = Open();
        await StartServiceAsync(cancellationToken);
    }

    /// <summary>Continues with the content of the disk at this moment, as after a kill of the process.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <param name="harm">What happens to the folder meanwhile.</param>
    public async Task KillAsync(CancellationToken cancellationToken, Action<string>? harm = null)
    {
        var before = Folder;
        generation++;
        CopyFolder(before, Folder);
        await StopAsync();
        harm?.Invoke(Folder);
        data = Open();
        await StartServiceAsync(cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        Directory.Delete(root, recursive: true);
    }

    private async Task StopAsync()
    {
        await Service.DisposeAsync();
        data.Dispose();
    }

    private async Task StartServiceAsync(CancellationToken cancellationToken)
    {
        Budget = new MemoryBudget(MemoryLimit);
        Service = await BlobService.StartAsync(
            new BlobServiceOptions
            {
                Key = [1],
                Containers = ["c01"],
                AllowAnonymous = true,
                TimeProvider = clock,
                Data = data,
                Budget = Budget,
                Journal = Journal,
                Diagnostics = Diagnostics,
            },
            cancellationToken
        );
    }

    private DataDirectory Open() => DataDirectory.Open(Folder, SyncPolicy.Never, clock);

    private static void CopyFolder(string from, string to)
    {
        Directory.CreateDirectory(Path.Combine(to, "containers"));
        foreach (var file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories).Where(static file => Path.GetFileName(file) != "lock"))
        {
            // Written to at this moment by another handle, as it would be by a process that dies.
            using FileStream source = new(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            using var target = File.Create(Path.Combine(to, Path.GetRelativePath(from, file)));
            source.CopyTo(target);
        }
    }
}
