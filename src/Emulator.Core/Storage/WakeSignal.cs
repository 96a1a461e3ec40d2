using System.Threading.Channels;

namespace EventHubThroughput.Emulator.Storage;

/// <summary>Tells one waiter that there may be something to do. Set any number of times, it wakes once. Never blocks who sets it.</summary>
internal sealed class WakeSignal
{
    private readonly Channel<bool> _signal = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite, SingleReader = true }
    );

    public void Set() => _signal.Writer.TryWrite(true);

    public async ValueTask WaitAsync(CancellationToken cancellationToken) => await _signal.Reader.ReadAsync(cancellationToken);
}
