using System.Buffers;
using System.IO.Pipelines;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

// The read loop: takes frames from the socket and passes each to the session of its channel.
public sealed partial class AmqpConnection
{
    // The time for a peer that broke the protocol to read the close.
    private static readonly TimeSpan LingerLimit = TimeSpan.FromSeconds(1);

    // Used only by the read loop.
    private readonly List<AmqpSession> _announcing = [];

    // The current frame. An observer may keep a frame, so with an observer each frame is a new one.
    private readonly ReusedPerformatives? _reused;

    /// <summary>When the current bytes were read, as a raw timestamp of the clock.</summary>
    internal long LastRead => Volatile.Read(ref _lastRead);

    /// <summary>Marks a session whose window is to be announced after the current frames. On the read loop.</summary>
    internal void AnnounceWindowOf(AmqpSession session) => _announcing.Add(session);

    private async Task ReadAsync()
    {
        try
        {
            DeferredCalls calls = new();
            IThreadPoolWorkItem? answered = null;
            while (true)
            {
                var room = WhileFlooded();
                if (!room.IsCompleted)
                {
                    ContinuationQueue.Queue(answered);
                    answered = null;

                    // The wait is bounded: the write loop drops a peer that accepts nothing.
                    await room.ConfigureAwait(false);
                }

                var read = _input.ReadAsync(_ended.Token);
                if (read.IsCompleted)
                {
                    ContinuationQueue.Queue(answered);
                    answered = null;
                }

                var result = await new InlineContinuationRead(read, answered);
                Volatile.Write(ref _lastRead, Settings.TimeProvider.GetTimestamp());
                var buffer = result.Buffer;
                Close? close = null;
                var continues = false;
                ContinuationQueue.BeginRead();
                try
                {
                    close = TakeFrames(ref buffer, calls);
                    continues = close is null && !result.IsCompleted;
                }
                finally
                {
                    answered = ContinuationQueue.EndRead(continues);
                    _input.AdvanceTo(buffer.Start, buffer.End);
                }

                if (close is not null)
                {
                    await EndAfterCloseAsync(close.Error).ConfigureAwait(false);
                    return;
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
            // Bytes or frames that break the protocol: send the error, then close.
            SendClose(exception.Error);
            await DrainOutputAsync().ConfigureAwait(false);
            await LingerAsync().ConfigureAwait(false);
            End(exception, exception.Error);
        }
        catch (Exception exception)
        {
            var failure = AsTransport(exception);
            End(failure, failure.Error);
        }
        finally
        {
            await _input.CompleteAsync().ConfigureAwait(false);
        }
    }

    // Takes all complete frames, up to the peer's close.
    private Close? TakeFrames(ref ReadOnlySequence<byte> buffer, DeferredCalls calls)
    {
        var limit = RemoteOpen is null ? Math.Max(FrameReader.MinMaxFrameSize, Settings.LocalOpen.MaxFrameSize) : Settings.LocalOpen.MaxFrameSize;
        while (FrameReader.TryRead(ref buffer, limit, _reused, out var frame))
        {
            _frames?.Saw(FrameDirection.Received, frame);
            Close? close;
            lock (Gate)
            {
                close = Take(frame, calls);
                if (!calls.IsEmpty)
                {
                    // The calls may take long, or wait for the caller that has just been answered.
                    ContinuationQueue.Release();
                }
            }

            calls.Run();
            if (close is not null)
            {
                return close;
            }
        }

        AnnounceWindows();
        return null;
    }

    // Returns the peer's close when it ends the connection in an orderly way.
    private Close? Take(in Frame frame, DeferredCalls calls)
    {
        if (HasTooManyRefusals && frame.Performative is not Close)
        {
            throw new AmqpException(AmqpErrorScope.Connection, TooManyRefusals());
        }

        switch (frame.Performative)
        {
            case null:
                return null;
            case Open open:
                TakeOpen(open);
                return null;
            case Close close:
                TakeClose();
                return close;
            case Begin begin:
                RequireOpen();
                TakeBegin(frame.Channel, begin);
                return null;
            default:
                RequireOpen();
                TakeForSession(frame, calls);
                return null;
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
            var period = TickPeriod(TimeSpan.FromMilliseconds(idle));
            _timer?.Change(period, period);
        }

        Output.MaxFrameSize = open.MaxFrameSize;
        _opened.TrySetResult(open);
    }

    private void TakeClose()
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
    }

    private async Task EndAfterCloseAsync(AmqpError? error)
    {
        await DrainOutputAsync().ConfigureAwait(false);
        End(new AmqpException(AmqpErrorScope.Connection, error ?? new AmqpError(ErrorCondition.ConnectionForced, "The peer closed the connection.")), error);
    }

    // Once for all frames that arrived together. A peer that sends beyond its window is detected, and one flow answers many transfers.
    private void AnnounceWindows()
    {
        if (_announcing.Count == 0)
        {
            return;
        }

        lock (Gate)
        {
            foreach (var session in _announcing)
            {
                session.AnnounceWindow();
            }
        }

        _announcing.Clear();
    }

    // A socket closed with bytes unread resets the connection, and the peer might never see the close.
    private async Task LingerAsync()
    {
        using CancellationTokenSource late = new(LingerLimit, Settings.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, _ended.Token);
        try
        {
            ReadResult result;
            do
            {
                result = await _input.ReadAsync(either.Token).ConfigureAwait(false);
                _input.AdvanceTo(result.Buffer.End);
            } while (!result.IsCompleted);
        }
        catch (Exception exception) when (exception is OperationCanceledException or IOException or ObjectDisposedException)
        {
            // Best effort: the connection ends in both cases.
        }
    }

    private async Task DrainOutputAsync()
    {
        lock (Gate)
        {
            Output.Complete();
        }

        // The write loop ends when everything is written. Its own time limit covers a peer that accepts nothing.
        await _written.Task.WaitAsync(CloseLimit, Settings.TimeProvider, CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private void TakeBegin(ushort channel, Begin begin)
    {
        if (begin.RemoteChannel is { } local)
        {
            if (!_byLocalChannel.TryGetValue(local, out var session) || _byRemoteChannel.ContainsKey(channel))
            {
                throw Violation(ErrorCondition.NotAllowed, $"A begin answers channel {local}, which began nothing.");
            }

            _byRemoteChannel.Add(channel, session);
            session.TakeBegin(begin);
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
        accepted.TakeBegin(begin);
        accepted.SendBegin(channel);
    }

    private void TakeForSession(in Frame frame, DeferredCalls calls)
    {
        if (!_byRemoteChannel.TryGetValue(frame.Channel, out var session))
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

    private static AmqpException Violation(string condition, string description) => new(AmqpErrorScope.Connection, new AmqpError(condition, description));
}
