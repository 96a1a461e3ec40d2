using EventHubThroughput.Processes;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Interop;

/// <summary>Azurite's blob service as a separate process, with its data in a folder that is removed at the end.</summary>
internal sealed class AzuriteServer : IAsyncDisposable
{
    // Published by the vendor for its emulators.
    private const string Account =
        "AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(2);

    private readonly RunningProcess process;
    private readonly string folder;
    private Task? rest;

    private AzuriteServer(RunningProcess process, string folder, int port)
    {
        this.process = process;
        this.folder = folder;
        ConnectionString = $"DefaultEndpointsProtocol=http;{Account};BlobEndpoint=http://127.0.0.1:{port}/devstoreaccount1;";
    }

    public string ConnectionString { get; }

    /// <summary>Starts it on a free port and waits until it listens. Skips the test when it is not installed.</summary>
    public static async Task<AzuriteServer> StartAsync(CancellationToken cancellationToken)
    {
        var node = Peers.RequireNode("azurite");
        var command = Path.Combine(Peers.ScriptFolder, "node_modules", ".bin", "azurite-blob");
        Peers.Require(File.Exists(command), "azurite-blob is not installed; run 'npm ci' in tests/Interop/js");
        var data = Directory.CreateTempSubdirectory("azurite").FullName;
        var port = FreePort.Next();
        string[] arguments = [command, "--blobHost", "127.0.0.1", "--blobPort", $"{port}", "--location", data, "--skipApiVersionCheck", "--disableTelemetry"];
        var server = new AzuriteServer(RunningProcess.Start(new ProcessCommand(node, arguments) { IsReadByLine = true }), data, port);
        try
        {
            await server.ListensAsync(cancellationToken).WaitAsync(StartLimit, TimeProvider.System, cancellationToken);
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await process.EndByForceAsync();
        await (rest ?? Task.CompletedTask);
        await process.DisposeAsync();
        Directory.Delete(folder, recursive: true);
    }

    private async Task ListensAsync(CancellationToken cancellationToken)
    {
        List<string> words = [];
        while (await process.ReadLineAsync(cancellationToken) is { } line)
        {
            if (line.Contains("successfully listens", StringComparison.Ordinal))
            {
                // Read to the end, so that the process never waits for us.
                rest = process.DiscardOutputAsync(CancellationToken.None);
                return;
            }

            words.Add(line);
        }

        throw new InvalidOperationException($"Azurite ended: {string.Join(' ', words.Concat(await process.AllErrorsAsync()))}");
    }
}
