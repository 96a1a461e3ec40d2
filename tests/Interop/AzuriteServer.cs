using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace EventHubThroughput.Interop;

/// <summary>Azurite's blob service as a process of its own, with its data in a folder that is removed at the end.</summary>
internal sealed class AzuriteServer : IAsyncDisposable
{
    // Published by the vendor for its emulators.
    private const string Account =
        "AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(30);

    private readonly Process process;
    private readonly string folder;
    private readonly Task output;

    private AzuriteServer(Process process, string folder, Task output, int port)
    {
        this.process = process;
        this.folder = folder;
        this.output = output;
        ConnectionString = $"DefaultEndpointsProtocol=http;{Account};BlobEndpoint=http://127.0.0.1:{port}/devstoreaccount1;";
    }

    public string ConnectionString { get; }

    /// <summary>Starts it on a free port and waits until it says that it listens; skips the test when it is not installed.</summary>
    public static async Task<AzuriteServer> StartAsync(CancellationToken cancellationToken)
    {
        string node = Peers.RequireNode("azurite");
        string command = Path.Combine(Peers.ScriptFolder, "node_modules", ".bin", "azurite-blob");
        Peers.Require(File.Exists(command), "azurite-blob is not installed; run 'npm ci' in tests/Interop/js");
        string data = Directory.CreateTempSubdirectory("azurite").FullName;
        int port = FreePort();
        ProcessStartInfo start = new(
            node,
            [command, "--blobHost", "127.0.0.1", "--blobPort", $"{port}", "--location", data, "--skipApiVersionCheck", "--disableTelemetry"]
        )
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        Process azurite = Process.Start(start)!;
        TaskCompletionSource<bool> listening = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task reading = Task.WhenAll(FollowAsync(azurite.StandardOutput, listening), FollowAsync(azurite.StandardError, listening));
        AzuriteServer server = new(azurite, data, reading, port);
        try
        {
            await listening.Task.WaitAsync(StartLimit, TimeProvider.System, cancellationToken);
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
        process.Kill(entireProcessTree: true);
        await process.WaitForExitAsync(CancellationToken.None);
        await output;
        process.Dispose();
        Directory.Delete(folder, recursive: true);
    }

    // Reads to the end, so that the process never waits for us.
    private static async Task FollowAsync(StreamReader reader, TaskCompletionSource<bool> listening)
    {
        StringBuilder words = new();
        while (await reader.ReadLineAsync(CancellationToken.None) is { } line)
        {
            if (!listening.Task.IsCompleted)
            {
                words.AppendLine(line);
            }

            if (line.Contains("successfully listens", StringComparison.Ordinal))
            {
                listening.TrySetResult(true);
            }
        }

        if (words.Length > 0)
        {
            listening.TrySetException(new InvalidOperationException($"Azurite ended: {words}"));
        }
    }

    private static int FreePort()
    {
        using TcpListener probe = new(IPAddress.Loopback, 0);
        probe.Start();
        return ((IPEndPoint)probe.LocalEndpoint).Port;
    }
}
