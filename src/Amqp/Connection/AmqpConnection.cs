using System.Diagnostics;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>
/// One AMQP connection over one socket, of a client or of a listener. It creates sessions and links. One lock guards all of its state (windows, credit,
/// handles, delivery numbers), because these depend on each other. Nothing waits under the lock.
/// </summary>
public sealed partial class AmqpConnection : IAsyncDisposable
{
    private static readonly TimeSpan CloseLimit = TimeSpan.FromSeconds(5);

    private readonly Stream _stream;
    private readonly PipeReader _input;
    private readonly CancellationTokenSource _ended = new();
    private readonly TaskCompletionSource<AmqpError?> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<Open> _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _written = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Func<AmqpConnection, ILinkAcceptor>? _acceptorOf;
    private readonly IFrameObserver? _frames;
    private Task _loops = Task.CompletedTask;
    private ITimer? _timer;

    // Guarded by Gate.
    private readonly Dictionary<ushort, AmqpSession> _byLocalChannel = [];
    private readonly Dictionary<ushort, AmqpSession> _byRemoteChannel = [];
    private AmqpException? _failure;
    private TaskCompletionSource? _room;
    private bool _openSent;
    private bool _closeSent;
    private bool _over;

    private long _lastRead;

    internal AmqpConnection(
        Stream stream,
        PipeReader input,
        ConnectionSettings settings,
        SaslIdentity? sasl,
        EndPoint? remoteEndPoint,
        Func<AmqpConnection, ILinkAcceptor>? acceptorOf
    )
    {
        _stream = stream;
        _input = input;
        _acceptorOf = acceptorOf;
        _frames = settings.Frames;
        _reused = _frames is null ? new ReusedPerformatives() : null;
        Settings = settings;
        Sasl = sasl;
        RemoteEndPoint = remoteEndPoint;
        Ended = _ended.Token;
        Output = new OutputQueue(stream, Gate, settings, RoomAgain);
        ContinuationQueue = new ContinuationQueue(Gate);
        _lastRead = settings.TimeProvider.GetTimestamp();
    }

    /// <summary>Completes, and never faults, when the connection has ended. Null when it was closed without an error.</summary>
    public Task<AmqpError?> Completion => _completion.Task;

    /// <summary>Whether frames may still be sent.</summary>
    public bool IsOpen
    {
        get
        {
            lock (Gate)
            {
                return !_over && !_closeSent;
            }
        }
    }

    /// <summary>Whether the connection has ended without a close frame: it was aborted, or its transport failed.</summary>
    public bool WasCut
    {
        get
        {
            lock (Gate)
            {
                return _over && !_closeSent;
            }
        }
    }

    /// <summary>Our container's name.</summary>
    public string ContainerId => Settings.LocalOpen.ContainerId;

    /// <summary>The peer's open frame. Null until it has arrived.</summary>
    public Open? RemoteOpen { get; private set; }

    /// <summary>The peer's address.</summary>
    public EndPoint? RemoteEndPoint { get; }

    /// <summary>On a listener's connection: the identity that the peer sent in SASL. Null when it used none.</summary>
    public SaslIdentity? Sasl { get; }

    /// <summary>Cancelled when the connection has ended.</summary>
    internal CancellationToken Ended { get; }

    internal Lock Gate { get; } = new();

    /// <summary>Whether frames are still sent: none is sent after our close. Under the lock.</summary>
    internal bool MaySend => !_over && !_closeSent;

    internal OutputQueue Output { get; }

    internal ContinuationQueue ContinuationQueue { get; }

    internal ConnectionSettings Settings { get; }

    internal ILinkAcceptor? Acceptor { get; private set; }

    /// <summary>Connects, encrypts if the options ask for it, authenticates and opens.</summary>
    /// <exception cref="AmqpException">
    /// The host is unknown or refuses, or TLS or SASL failed (<see cref="AmqpErrorScope.Transport"/>, with host and port). There was no answer in time
    /// (<see cref="AmqpErrorScope.Timeout"/>). The peer closed with an error (<see cref="AmqpErrorScope.Connection"/>).
    /// </exception>
    public static async Task<AmqpConnection> ConnectAsync(AmqpConnectionOptions options, CancellationToken cancellationToken)
    {
        var connection = await ClientTransport.ConnectAsync(options, cancellationToken).ConfigureAwait(false);
        return await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Begins a session on a free channel.</summary>
    /// <exception cref="AmqpException">No channel is free, the peer refused, or the connection was lost.</exception>
    public async Task<AmqpSession> BeginSessionAsync(AmqpSessionOptions options, CancellationToken cancellationToken)
    {
        AmqpSession session;
        lock (Gate)
        {
            ThrowIfOver();
            session = new AmqpSession(this, FreeChannel(), options);
            _byLocalChannel.Add(session.LocalChannel, session);
            session.SendBegin(remoteChannel: null);
        }

        try
        {
            await AnsweredAsync(session.Begun, "begin", cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await session.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        return session;
    }

    /// <summary>Closes with or without an error and waits, for a bounded time, for the peer's close.</summary>
    public async Task CloseAsync(AmqpError? error, CancellationToken cancellationToken)
    {
        SendClose(error);
        try
        {
            await _completion.Task.WaitAsync(CloseLimit, Settings.TimeProvider, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The peer does not answer. The socket is closed without its answer.
        }

        Abort(error);
    }

    /// <summary>Closes the socket without sending a close frame.</summary>
    public void Abort(AmqpError? error) =>
        End(new AmqpException(AmqpErrorScope.Transport, error ?? new AmqpError(ErrorCondition.ConnectionForced, "The connection was closed.")), error);

    /// <summary>Closes and releases the socket. May be called twice.</summary>
    public async ValueTask DisposeAsync()
    {
        if (RemoteOpen is null)
        {
            Abort(null);
        }
        else
        {
            await CloseAsync(null, CancellationToken.None).ConfigureAwait(false);
        }

        await _loops.ConfigureAwait(false);
        await ServedAsync().ConfigureAwait(false);
        _ended.Dispose();
        Output.Dispose();
    }

    /// <summary>Opens a client's connection and waits for the answer. Disposes of the connection when there is none.</summary>
    internal async Task<AmqpConnection> OpenAsync(CancellationToken cancellationToken)
    {
        try
        {
            Start();
            await AnsweredAsync(_opened.Task, "open", cancellationToken).ConfigureAwait(false);
            return this;
        }
        catch
        {
            await DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>False when the peer's open has not arrived in time. A connection that has ended counts as opened.</summary>
    internal async Task<bool> OpenedWithinAsync(TimeSpan limit)
    {
        try
        {
            await Task.WhenAny(_opened.Task, _completion.Task).WaitAsync(limit, Settings.TimeProvider, CancellationToken.None).ConfigureAwait(false);
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
    }

    internal void Start()
    {
        Acceptor = _acceptorOf?.Invoke(this);
        // Before anything is read: the peer's open may ask for a shorter period, so the timer must exist.
        var period = TickPeriod(Settings.IdleTimeout);
        lock (Gate)
        {
            _timer = _over
                ? null
                : OwnContext.Start(() => Settings.TimeProvider.CreateTimer(static state => ((AmqpConnection)state!).Tick(), this, period, period));
        }

        _loops = OwnContext.Start(() => Task.WhenAll(Task.Run(ReadAsync), Task.Run(WriteAsync)));
        if (_acceptorOf is null)
        {
            lock (Gate)
            {
                SendOpen();
            }
        }
    }

    /// <summary>Waits for an answer of the peer. A lost connection and the operation's time-out end the wait.</summary>
    internal async Task<T> AnsweredAsync<T>(Task<T> answer, string what, CancellationToken cancellationToken)
    {
        try
        {
            return await answer.WaitAsync(Settings.OperationTimeout, Settings.TimeProvider, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            throw TimedOut(what);
        }
    }

    internal AmqpException TimedOut(string what) =>
        new(AmqpErrorScope.Timeout, new AmqpError("com.microsoft:timeout", $"No answer to {what} within {Settings.OperationTimeout.TotalSeconds:0.###} s."));

    /// <summary>In debug builds: checks that the caller holds the lock.</summary>
    [Conditional("DEBUG")]
    internal void AssertLocked() => Debug.Assert(Gate.IsHeldByCurrentThread, "the connection's lock is held");

    /// <summary>Frees a session's channels after both ends were exchanged. Under the lock.</summary>
    internal void Forget(AmqpSession session) => _byLocalChannel.Remove(session.LocalChannel);

    internal void ThrowIfOver()
    {
        if (_failure is not null)
        {
            throw _failure.Again();
        }

        if (_over || _closeSent)
        {
            throw new AmqpException(AmqpErrorScope.Connection, new AmqpError(ErrorCondition.ConnectionForced, "The connection is closed."));
        }
    }

    // Often enough for four heartbeats within an idle time-out and to notice a missing answer.
    private TimeSpan TickPeriod(TimeSpan idle) => new(Math.Max(TimeSpan.TicksPerSecond / 10, Math.Min(idle.Ticks, Settings.OperationTimeout.Ticks) / 4));

    private ushort FreeChannel()
    {
        var highest = Math.Min(Settings.LocalOpen.ChannelMax, RemoteOpen?.ChannelMax ?? ushort.MaxValue);
        for (var channel = 0; channel <= highest; channel++)
        {
            if (!_byLocalChannel.ContainsKey((ushort)channel))
            {
                return (ushort)channel;
            }
        }

        throw new AmqpException(
            AmqpErrorScope.Session,
            new AmqpError(ErrorCondition.ResourceLimitExceeded, $"All {highest + 1} channels of the connection are in use.")
        );
    }

    private void SendOpen()
    {
        _openSent = true;
        Send(0, Settings.LocalOpen);
    }

    private void SendClose(AmqpError? error)
    {
        lock (Gate)
        {
            SendCloseLocked(error);
        }
    }

    private void SendCloseLocked(AmqpError? error)
    {
        if (_over || _closeSent)
        {
            return;
        }

        if (!_openSent)
        {
            SendOpen();
        }

        _closeSent = true;
        Send(0, new Close { Error = error });
    }

    private async Task WriteAsync()
    {
        try
        {
            // The loop may end on the thread of a sending caller, which must not run the end of the connection.
            await Output.RunAsync().ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        }
        catch (Exception exception)
        {
            var failure = AsTransport(exception);
            End(failure, failure.Error);
        }
        finally
        {
            _written.TrySetResult();
        }
    }

    private static AmqpException AsTransport(Exception exception) =>
        exception as AmqpException
        ?? new AmqpException(
            AmqpErrorScope.Transport,
            new AmqpError(
                ErrorCondition.ConnectionForced,
                exception is OperationCanceledException ? "The connection was closed." : $"The connection was lost: {exception.Message}"
            ),
            exception
        );

    // Every connection ends here. Everything that waits for the peer receives the reason.
    private void End(AmqpException failure, AmqpError? result)
    {
        AmqpSession[] sessions;
        lock (Gate)
        {
            if (_over)
            {
                return;
            }

            _over = true;
            _room?.TrySetResult();
            _failure = failure;
            sessions = [.. _byLocalChannel.Values];
            _byLocalChannel.Clear();
            _byRemoteChannel.Clear();
            Output.Complete();
        }

        _timer?.Dispose();
        _opened.TrySetException(failure);
        _ = _opened.Task.Exception;
        foreach (var session in sessions)
        {
            session.Over(failure);
        }

        _completion.TrySetResult(result);
        _ended.Cancel();
        _stream.Dispose();
    }
}
