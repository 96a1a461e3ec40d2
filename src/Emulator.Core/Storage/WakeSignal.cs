using System.Threading.Channels;

namespace EventHubThroughput.Emulator.Storage;

/// <summary>Wakes one waiter when there may be work. Several signals cause one wake. Setting it never blocks.</summary>
internal sealed class WakeSignal
{
    private readonly Channel<bool> _signal = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite, SingleReader = true }
    );

    public void Set() => _signal.Writer.TryWrite(true);

    public async ValueTask WaitAsync(CancellationToken cancellationToken) => await _signal.Reader.ReadAsync(cancellationToken);
}
