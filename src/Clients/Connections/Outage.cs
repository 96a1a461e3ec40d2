using System.Globalization;
using System.Net.Sockets;
using System.Security.Authentication;

namespace EventHubThroughput.Clients.Connections;

/// <summary>
/// How long a service has been unreachable, from the first of several consecutive attempts to connect that failed. An attempt after a long pause begins a new
/// count, because the state in between is unknown. May be used concurrently.
/// </summary>
/// <param name="options">Has the limit of the time that a service may be unreachable.</param>
/// <param name="timeProvider">The clock.</param>
/// <param name="host">Host and port, for the notice.</param>
/// <param name="notice">Called with one line for each outage that has lasted for <see cref="NoticeAfter"/>. Null reports nothing.</param>
internal sealed class Outage(RetryOptions options, TimeProvider timeProvider, string host, Action<string>? notice)
{
    /// <summary>A shorter outage is not reported.</summary>
    public static readonly TimeSpan NoticeAfter = TimeSpan.FromSeconds(1);

    private readonly Lock gate = new();

    // Under the gate.
    private long since;
    private long lastFailure;
    private bool isNoticed;

    // Written under the gate. Every answer reads it, usually without an outage.
    private volatile bool isOn;

    /// <summary>After this pause a failure counts as unrelated to the one before. Callers that retry wait at most half of it.</summary>
    private TimeSpan Rest => options.MaximumDelay * 2;

    /// <summary>Records a failed attempt. Returns how much longer attempts may be made, zero or less when the limit has expired.</summary>
    /// <param name="started">The raw timestamp at which the attempt began.</param>
    /// <param name="cause">The exception of the attempt.</param>
    public TimeSpan Failed(long started, Exception cause)
    {
        TimeSpan lasted;
        lock (gate)
        {
            if (!isOn || timeProvider.GetElapsedTime(lastFailure, started) > Rest)
            {
                since = started;
                isOn = true;
            }

            lastFailure = timeProvider.GetTimestamp();
            lasted = timeProvider.GetElapsedTime(since, lastFailure);
        }

        var left = options.UnreachableLimit - lasted;
        if (lasted >= NoticeAfter && left > TimeSpan.Zero)
        {
            Notice(cause);
        }

        return left;
    }

    /// <summary>Reports why no connection can be made, once for each outage.</summary>
    /// <param name="cause">The exception of an attempt to connect.</param>
    public void Notice(Exception cause)
    {
        lock (gate)
        {
            if (notice is null || isNoticed)
            {
                return;
            }

            isNoticed = true;
        }

        notice(string.Create(CultureInfo.InvariantCulture, $"{Reason(cause)}, retrying for {options.UnreachableLimit.TotalSeconds:0.###} s{Question}"));
    }

    /// <summary>Records an answer of the service or a new connection. Returns whether the service had been unreachable.</summary>
    public bool Over()
    {
        if (!isOn)
        {
            return false;
        }

        lock (gate)
        {
            var was = isOn;
            (isOn, isNoticed) = (false, false);
            return was;
        }
    }

    /// <summary>
    /// The cause of an outage that waiting does not repair, after a colon: a wrong name or certificate. Empty when the service refused or was silent.
    /// </summary>
    public static string GetLastingCause(Exception cause)
    {
        for (var inner = cause; inner is not null; inner = inner.InnerException)
        {
            if (inner is AuthenticationException or SocketException { SocketErrorCode: SocketError.HostNotFound or SocketError.TryAgain or SocketError.NoData })
            {
                return $": {inner.Message}";
            }
        }

        return string.Empty;
    }

    private string Question => Uri.TryCreate($"tcp://{host}", UriKind.Absolute, out var address) && address.IsLoopback ? ". Is the emulator running?" : "";

    private string Reason(Exception? cause)
    {
        for (; cause is not null; cause = cause.InnerException)
        {
            if (cause is SocketException socket)
            {
                return socket.SocketErrorCode switch
                {
                    SocketError.ConnectionRefused => $"connection refused by {host}",
                    SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain => $"no address is known for {host}",
                    var other => $"no connection to {host} ({other})",
                };
            }
        }

        return $"no connection to {host}";
    }
}
