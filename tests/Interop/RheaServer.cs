using System.Globalization;
using EventHubThroughput.Processes;

namespace EventHubThroughput.Interop;

/// <summary>js/rhea-server.mjs as a separate process. It ends with its input.</summary>
internal sealed class RheaServer : IAsyncDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    private readonly RunningProcess process;

    private RheaServer(RunningProcess process, int port)
    {
        this.process = process;
        Port = port;
    }

    public int Port { get; }

    /// <summary>Starts it and waits for its port. Skips the test when Node or rhea is not installed.</summary>
    public static async Task<RheaServer> StartAsync(CancellationToken cancellationToken)
    {
        var started = RunningProcess.Start(
            new ProcessCommand(Peers.RequireNode("rhea"), Path.Combine(Peers.ScriptFolder, "rhea-server.mjs"))
            {
                Folder = Peers.ScriptFolder,
                IsReadByLine = true,
            }
        );
        try
        {
            var line = await started.ReadLineAsync(cancellationToken).WaitAsync(Limit, TimeProvider.System, cancellationToken);
            return new RheaServer(started, int.Parse(line ?? throw new InvalidOperationException("The rhea server ended."), CultureInfo.InvariantCulture));
        }
        catch
        {
            await started.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await process.StopAsync(Limit);
        await process.DisposeAsync();
    }
}
