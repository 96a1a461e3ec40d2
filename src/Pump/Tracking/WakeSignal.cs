using System.Runtime.CompilerServices;
using System.Threading.Channels;
using EventHubThroughput.Events.Pooling;

namespace EventHubThroughput.Pump.Tracking;

/// <summary>A signal that is either set or not. A waiter resumes once, even if the signal was set several times in the meantime. One may wait.</summary>
internal sealed class WakeSignal
{
    private readonly Channel<bool> signal = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite, SingleReader = true }
    );

    // 1 while the signal is set: most calls find it set, and return without the channel's lock.
    private int isSet;

    /// <summary>Cheap, and free of allocation: called for every completion.</summary>
    public void Set()
    {
        // The waiter that resets the signal after this check sees what the caller has done.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref isSet) == 0 && Interlocked.Exchange(ref isSet, 1) == 0)
        {
            signal.Writer.TryWrite(true);
        }
    }

    /// <summary>Ends every wait from now on.</summary>
    public void Close() => signal.Writer.TryComplete();

    /// <summary>Completes when it is set, and resets it. False when it is closed.</summary>
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder<>))]
    public async ValueTask<bool> WaitAsync(CancellationToken cancellationToken)
    {
        if (!await signal.Reader.WaitToReadAsync(cancellationToken))
        {
            return false;
        }

        signal.Reader.TryRead(out _);
        Interlocked.Exchange(ref isSet, 0);
        return true;
    }
}
