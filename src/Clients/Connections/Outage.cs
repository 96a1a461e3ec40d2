namespace EventHubThroughput.Clients.Connections;

/// <summary>
/// How long a service has been out of reach: counted from the beginning of the first of several attempts to connect that failed
/// one after another. An attempt after a long rest begins anew, for nobody knows what was in between. May be used concurrently.
/// </summary>
internal sealed class Outage(RetryOptions options, TimeProvider timeProvider)
{
    private readonly Lock gate = new();

    // Under the gate.
    private long since;
    private long lastFailure;

    // Written under the gate. Every answer reads it, and nearly all find that there is no outage.
    private volatile bool isOn;

    /// <summary>After this rest a failure has nothing to do with the one before it. Callers who try again rest at most half of it.</summary>
    private TimeSpan Rest => options.MaximumDelay * 2;

    /// <summary>An attempt has failed; gives how much longer others may be made, zero or less when the limit is over.</summary>
    /// <param name="started">The raw timestamp at which the attempt began.</param>
    public TimeSpan Failed(long started)
    {
        lock (gate)
        {
            if (!isOn || timeProvider.GetElapsedTime(lastFailure, started) > Rest)
            {
                since = started;
                isOn = true;
            }

            lastFailure = timeProvider.GetTimestamp();
            return options.UnreachableLimit - timeProvider.GetElapsedTime(since, lastFailure);
        }
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
            isOn = false;
            return was;
        }
    }
}
