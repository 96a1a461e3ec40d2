using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

// Upkeep of a connection: heartbeats, silent peers, missing answers, and room in the write queue.
public sealed partial class AmqpConnection
{
    // Guarded by Gate: the tasks that serve links, and how many links were refused. Completed tasks are removed each time the list has doubled.
    private readonly List<Task> _serving = [];
    private int _servingSwept = 16;
    private int _refusals;

    private bool HasTooManyRefusals => Settings.RefusalLimit > 0 && _refusals >= Settings.RefusalLimit;

    /// <summary>Runs the task that serves a link. It is awaited when the connection is disposed of. It must not fault.</summary>
    internal void Serve(Func<Task> serving)
    {
        var task = serving();
        lock (Gate)
        {
            if (_serving.Count >= _servingSwept)
            {
                _serving.RemoveAll(static served => served.IsCompleted);
                _servingSwept = Math.Max(16, 2 * _serving.Count);
            }

            _serving.Add(task);
        }
    }

    /// <summary>Counts a refused link. A peer that keeps asking for links that are refused loses the connection. Under the lock.</summary>
    internal void CountRefusal()
    {
        _refusals++;
        if (HasTooManyRefusals)
        {
            SendCloseLocked(TooManyRefusals());
        }
    }

    private AmqpError TooManyRefusals() => new(ErrorCondition.ResourceLimitExceeded, $"{_refusals} links of the connection were refused.");

    /// <summary>How many deliveries are unsettled, in all sessions and both directions. Under the lock.</summary>
    internal int UnderWay
    {
        get
        {
            var underWay = 0;
            foreach (var session in _byLocalChannel.Values)
            {
                underWay += session.UnderWay;
            }

            return underWay;
        }
    }

    private Task ServedAsync()
    {
        lock (Gate)
        {
            return Task.WhenAll(_serving);
        }
    }

    // The timer: sends heartbeats, detects a silent peer and missing answers.
    private void Tick()
    {
        var clock = Settings.TimeProvider;
        if (RemoteOpen?.IdleTimeout is > 0 and uint idle && Output.Silence >= TimeSpan.FromMilliseconds(idle / 4.0))
        {
            lock (Gate)
            {
                if (!_over && !_closeSent)
                {
                    FrameWriter.WriteHeartbeat(Output.Buffer);
                    Output.Commit();
                }
            }
        }

        var silence = clock.GetElapsedTime(LastRead);
        if (silence > Settings.IdleTimeout * 2)
        {
            AmqpError error = new(ErrorCondition.ResourceLimitExceeded, $"The peer was silent for {silence.TotalSeconds:0.#} s.");
            SendClose(error);
            Abort(error);
            return;
        }

        AmqpSession[] sessions;
        lock (Gate)
        {
            sessions = [.. _byLocalChannel.Values];
        }

        foreach (var session in sessions)
        {
            session.FailUnanswered();
        }
    }

    // While the peer does not accept our bytes, its bytes are not read.
    private Task WhileFlooded()
    {
        lock (Gate)
        {
            if (_over || !Output.IsFlooded)
            {
                return Task.CompletedTask;
            }

            _room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _room.Task;
        }
    }

    private void RoomAgain()
    {
        lock (Gate)
        {
            _room?.TrySetResult();
            _room = null;
            foreach (var session in _byLocalChannel.Values)
            {
                session.Pump();
            }
        }
    }
}
