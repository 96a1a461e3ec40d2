using System.Buffers;
using System.IO.Pipelines;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

// The read loop: takes frames from the socket and hands each to the session of its channel.
public sealed partial class AmqpConnection
{
    private async Task ReadAsync()
    {
        try
        {
            DeferredCalls calls = new();
            while (true)
            {
                ReadResult result = await _input.ReadAsync(_ended.Token).ConfigureAwait(false);
                Volatile.Write(ref _lastRead, Settings.TimeProvider.GetTimestamp());
                ReadOnlySequence<byte> buffer = result.Buffer;
                try
                {
                    uint limit = RemoteOpen is null ? Math.Max(FrameReader.MinMaxFrameSize, Settings.LocalOpen.MaxFrameSize) : Settings.LocalOpen.MaxFrameSize;
                    while (FrameReader.TryRead(ref buffer, limit, out Frame frame))
                    {
                        bool close;
                        lock (Gate)
                        {
                            close = Take(frame, calls);
                        }

                        calls.Run();
                        if (close)
                        {
                            return;
                        }
                    }
                }
                finally
                {
                    _input.AdvanceTo(buffer.Start, buffer.End);
                }

                if (result.IsCompleted)
                {
                    AmqpException gone = new(AmqpErrorScope.Transport, new AmqpError(ErrorCondition.ConnectionForced, "The peer closed the socket."));
                    End(gone, gone.Error);
                    return;
                }
            }
        }
        catch (AmqpException exception)
        {
            // Bytes or frames that break the protocol: say so, then close.
            SendClose(exception.Error);
            await DrainOutputAsync().ConfigureAwait(false);
            End(exception, exception.Error);
        }
        catch (Exception exception)
        {
            AmqpException failure = AsTransport(exception);
            End(failure, failure.Error);
        }
        finally
        {
            await _input.CompleteAsync().ConfigureAwait(false);
        }
    }

    // True when the connection is over in an orderly way.
    private bool Take(in Frame frame, DeferredCalls calls)
    {
        switch (frame.Performative)
        {
            case null:
                return false;
            case Open open:
                TakeOpen(open);
                return false;
            case Close close:
                TakeClose(close, calls);
                return true;
            case Begin begin:
                RequireOpen();
                TakeBegin(frame.Channel, begin);
                return false;
            default:
                RequireOpen();
                TakeForSession(frame, calls);
                return false;
        }
    }

    private void TakeOpen(Open open)
    {
        if (RemoteOpen is not null)
        {
            throw Violation(ErrorCondition.IllegalState, "A second open on one connection.");
        }

        if (open.MaxFrameSize < FrameReader.MinMaxFrameSize)
        {
            throw Violation(ErrorCondition.InvalidField, $"max-frame-size {open.MaxFrameSize} is below {FrameReader.MinMaxFrameSize}.");
        }

        RemoteOpen = open;
        if (!_openSent)
        {
            SendOpen();
        }

        if (open.IdleTimeout is > 0 and uint idle && TimeSpan.FromMilliseconds(idle) < Settings.IdleTimeout)
        {
            TimeSpan period = TickPeriod(TimeSpan.FromMilliseconds(idle));
            _timer?.Change(period, period);
        }

        Output.MaxFrameSize = open.MaxFrameSize;
        _opened.TrySetResult(open);
    }

    private void TakeClose(Close close, DeferredCalls calls)
    {
        if (!_closeSent)
        {
            if (!_openSent)
            {
                SendOpen();
            }

            _closeSent = true;
            Send(0, new Close());
        }

        Output.Complete();
        calls.Add(() => _ = EndAfterCloseAsync(close.Error));
    }

    private async Task EndAfterCloseAsync(AmqpError? error)
    {
        await DrainOutputAsync().ConfigureAwait(false);
        End(
            new AmqpException(AmqpErrorScope.Connection, error ?? new AmqpError(ErrorCondition.ConnectionForced, "The peer closed the connection.")),
            error);
    }

    private async Task DrainOutputAsync()
    {
        lock (Gate)
        {
            Output.Complete();
        }

        // The write loop ends when all is written; a peer that takes nothing is bounded by its own limit.
        await Task.WhenAny(_written.Task, Task.Delay(CloseLimit, Settings.TimeProvider, CancellationToken.None)).ConfigureAwait(false);
    }

    private void TakeBegin(ushort channel, Begin begin)
    {
        if (begin.RemoteChannel is { } local)
        {
            if (!_byLocalChannel.TryGetValue(local, out AmqpSession? session) || _byRemoteChannel.ContainsKey(channel))
            {
                throw Violation(ErrorCondition.NotAllowed, $"A begin answers channel {local}, which began nothing.");
            }

            _byRemoteChannel.Add(channel, session);
            session.TakeBegin(channel, begin);
            return;
        }

        if (Acceptor is null)
        {
            throw Violation(ErrorCondition.NotAllowed, "This side takes no sessions.");
        }

        if (channel > Settings.LocalOpen.ChannelMax)
        {
            throw Violation(ErrorCondition.FramingError, $"Channel {channel} is above the channel-max {Settings.LocalOpen.ChannelMax}.");
        }

        if (_byRemoteChannel.ContainsKey(channel))
        {
            throw Violation(ErrorCondition.IllegalState, $"A second begin on channel {channel}.");
        }

        AmqpSession accepted = new(this, FreeChannel(), Settings.PeerSessions);
        _byLocalChannel.Add(accepted.LocalChannel, accepted);
        _byRemoteChannel.Add(channel, accepted);
        accepted.TakeBegin(channel, begin);
        accepted.SendBegin(channel);
    }

    private void TakeForSession(in Frame frame, DeferredCalls calls)
    {
        if (!_byRemoteChannel.TryGetValue(frame.Channel, out AmqpSession? session))
        {
            throw Violation(ErrorCondition.NotAllowed, $"A {frame.Performative!.GetType().Name} on channel {frame.Channel}, which has no session.");
        }

        if (frame.Performative is End end)
        {
            _byRemoteChannel.Remove(frame.Channel);
            session.TakeEnd(end, calls);
            return;
        }

        session.Take(frame, calls);
    }

    private void RequireOpen()
    {
        if (RemoteOpen is null)
        {
            throw Violation(ErrorCondition.IllegalState, "A frame before open.");
        }
    }

    private static AmqpException Violation(string condition, string description) =>
        new(AmqpErrorScope.Connection, new AmqpError(condition, description));
}
