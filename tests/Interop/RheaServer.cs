using System.Diagnostics;
using System.Globalization;

namespace EventHubThroughput.Interop;

/// <summary>js/rhea-server.mjs as a process of its own; it ends with its input.</summary>
internal sealed class RheaServer : IAsyncDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    private readonly Process _process;

    private RheaServer(Process process, int port)
    {
        _process = process;
        Port = port;
    }

    public int Port { get; }

    /// <summary>Starts it and waits for its port; skips the test when Node or rhea is not installed.</summary>
    public static async Task<RheaServer> StartAsync(CancellationToken cancellationToken)
    {
        ProcessStartInfo start = new(Peers.RequireNode("rhea"), [Path.Combine(Peers.ScriptFolder, "rhea-server.mjs")])
        {
            WorkingDirectory = Peers.ScriptFolder,
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        Process process = Process.Start(start)!;
        try
        {
            string? line = await process.StandardOutput.ReadLineAsync(cancellationToken).AsTask().WaitAsync(Limit, TimeProvider.System, cancellationToken);
            return new RheaServer(process, int.Parse(line ?? throw new InvalidOperationException("The rhea server ended."), CultureInfo.InvariantCulture));
        }
        catch
        {
            process.Kill(entireProcessTree: true);
            process.Dispose();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        await _process.WaitForExitAsync(CancellationToken.None).WaitAsync(Limit, TimeProvider.System, CancellationToken.None);
        _process.Dispose();
    }
}
