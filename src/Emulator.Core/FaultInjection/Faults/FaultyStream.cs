using System.Net.Sockets;
using EventHubThroughput.Emulator.Streams;

namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>A connection with a fault: it is reset after a number of bytes of answers, or is slow in both directions.</summary>
internal sealed class FaultyStream(Stream inner, FaultRule fault, FaultEngine engine, Action reset) : AsyncStream(inner)
{
    // A slow peer moves small pieces. Otherwise the only effect would be one long wait.
    private const int SlowChunk = 16;

    private long _written;

    /// <summary>A socket that closes with a reset instead of an orderly end.</summary>
    public static Action GetReset(Socket socket) =>
        () =>
        {
            socket.LingerState = new LingerOption(enable: true, seconds: 0);
            socket.Close();
        };

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (fault.Action != FaultAction.Slow)
        {
            return await Inner.ReadAsync(buffer, cancellationToken);
        }

        var read = await Inner.ReadAsync(buffer[..Math.Min(buffer.Length, SlowChunk)], cancellationToken);
        await CrawlAsync(read, cancellationToken);
        return read;
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (fault.Action == FaultAction.Slow)
        {
            for (var rest = buffer; !rest.IsEmpty; rest = rest[Math.Min(rest.Length, SlowChunk)..])
            {
                await CrawlAsync(Math.Min(rest.Length, SlowChunk), cancellationToken);
                await Inner.WriteAsync(rest[..Math.Min(rest.Length, SlowChunk)], cancellationToken);
            }

            return;
        }

        var left = fault.AfterBytes - _written;
        _written += buffer.Length;
        await Inner.WriteAsync(buffer[..(int)Math.Clamp(left, 0, buffer.Length)], cancellationToken);
        if (left < buffer.Length)
        {
            reset();
            throw new IOException("The connection was reset by a fault.");
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            Inner.Dispose();
        }

        base.Dispose(disposing);
    }

    private Task CrawlAsync(int bytes, CancellationToken cancellationToken) =>
        bytes == 0 ? Task.CompletedTask : engine.WaitAsync(TimeSpan.FromSeconds(bytes / fault.BytesPerSecond), cancellationToken);
}
