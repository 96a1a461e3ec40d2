using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Processes;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Wire;

/// <summary>A listener as a separate process. Disposal ends it.</summary>
internal sealed class WireListenerProcess : IAsyncDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    private readonly RunningProcess process;
    private readonly TimeProvider clock;

    private WireListenerProcess(RunningProcess process, TimeProvider clock) => (this.process, this.clock) = (process, clock);

    public int Port { get; private set; }

    public static async Task<WireListenerProcess> StartAsync(string library, TimeProvider clock, CancellationToken cancellationToken)
    {
        var command = ProcessCommand.OfProgram("load", WireListenerCommand.Name, "--library", library) with { IsReadByLine = true, Clock = clock };
        var listener = new WireListenerProcess(RunningProcess.Start(command), clock);
        try
        {
            listener.Port = int.Parse(await listener.ReadLineAsync(cancellationToken), CultureInfo.InvariantCulture);
            return listener;
        }
        catch
        {
            await listener.DisposeAsync();
            throw;
        }
    }

    public async Task<WireSpent> SpentAsync(CancellationToken cancellationToken)
    {
        await process.WriteAsync("\n", cancellationToken);
        return WireSpent.Parse(await ReadLineAsync(cancellationToken));
    }

    public async ValueTask DisposeAsync()
    {
        await process.StopAsync(Limit);
        await process.DisposeAsync();
    }

    private async Task<string> ReadLineAsync(CancellationToken cancellationToken) =>
        await process.ReadLineAsync(cancellationToken).WaitAsync(Limit, clock, cancellationToken)
        ?? throw new FailureException(FailureCause.Dependency, "the listener has ended");
}
