using System.Globalization;
using System.Net.Sockets;

namespace EventHubThroughput.Clients.Connections;

/// <summary>
/// How long a service has been out of reach: counted from the beginning of the first of several attempts to connect that failed
/// one after another. An attempt after a long rest begins a new count, since it is not known what was in between. May be used concurrently.
/// </summary>
/// <param name="options">Says for how long the service may be out of reach.</param>
/// <param name="timeProvider">The clock.</param>
/// <param name="host">Host and port, for the notice.</param>
/// <param name="notice">Called with one line for each outage that has lasted for <see cref="NoticeAfter"/>; null reports nothing.</param>
internal sealed class Outage(RetryOptions options, TimeProvider timeProvider, string host, Action<string>? notice)
{
    /// <summary>An outage that is over sooner is not worth a line.</summary>
    public static readonly TimeSpan NoticeAfter = TimeSpan.FromSeconds(1);

    private readonly Lock gate = new();

    // Under the gate.
    private long since;
    private long lastFailure;
    private bool isNoticed;

    // Written under the gate. Every answer reads it, and nearly all find that there is no outage.
    private volatile bool isOn;

    /// <summary>After this rest a failure has nothing to do with the one before it. Callers who try again rest at most half of it.</summary>
    private TimeSpan Rest => options.MaximumDelay * 2;

    /// <summary>An attempt has failed; gives how much longer others may be made, zero or less when the limit is over.</summary>
    /// <param name="started">The raw timestamp at which the attempt began.</param>
    /// <param name="cause">What the attempt ended with.</param>
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

    /// <summary>Reports what keeps connections from being made, once for each outage.</summary>
    /// <param name="cause">What an attempt to connect ended with.</param>
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

    /// <summary>The service has answered, or a connection was made; gives whether it had been out of reach.</summary>
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
