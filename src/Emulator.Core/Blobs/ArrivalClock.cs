using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using EventHubThroughput.Emulator.Endpoints;
using Microsoft.AspNetCore.Connections;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>
/// Records when the bytes of a connection were read, so that a request's time counts from there. Scheduling, parsing and the signature check come later and are
/// therefore included.
/// </summary>
/// <param name="inner">The reader of the connection.</param>
/// <param name="now">The arrival time of the current bytes, as a raw timestamp of the latency clock.</param>
internal sealed class ArrivalClock(PipeReader inner, Func<long> now) : PipeReader
{
    /// <summary>The arrival time of the bytes that were read last. Before the body is read, this is when the headers were complete.</summary>
    public long CameAt { get; private set; }

    /// <summary>Serves a connection with the clock as a feature.</summary>
    public static async Task ServeAsync(ConnectionContext connection, Func<long> now, ConnectionDelegate next)
    {
        var original = connection.Transport;
        ArrivalClock clock = new(original.Input, now);
        connection.Features.Set(clock);
        connection.Transport = new DuplexPipe(clock, original.Output);
        await next(connection);
        connection.Transport = original;
    }

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        var read = inner.ReadAsync(cancellationToken);
        if (!read.IsCompletedSuccessfully)
        {
            return NoteAsync(read);
        }

        CameAt = now();
        return read;
    }

    public override bool TryRead(out ReadResult result)
    {
        if (!inner.TryRead(out result))
        {
            return false;
        }

        CameAt = now();
        return true;
    }

    public override void AdvanceTo(SequencePosition consumed) => inner.AdvanceTo(consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) => inner.AdvanceTo(consumed, examined);

    public override void CancelPendingRead() => inner.CancelPendingRead();

    public override void Complete(Exception? exception = null) => inner.Complete(exception);

    public override ValueTask CompleteAsync(Exception? exception = null) => inner.CompleteAsync(exception);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ReadResult> NoteAsync(ValueTask<ReadResult> read)
    {
        var result = await read;
        CameAt = now();
        return result;
    }
}
