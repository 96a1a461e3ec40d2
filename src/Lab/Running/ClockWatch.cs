using System.Globalization;
using EventHubThroughput.Clients;

namespace EventHubThroughput.Lab.Running;

/// <summary>
/// Warns once when the storage clock differs from the local clock. Ownerships are dated by the storage clock and expire by the local one. If they differ by the
/// expiry or more, processors take living ownerships for expired ones. May be called from any thread.
/// </summary>
/// <param name="expiry">The ownership expiry.</param>
/// <param name="warn">Receives the line.</param>
internal sealed class ClockWatch(TimeSpan expiry, Action<string> warn)
{
    private const double Tolerated = 0.1;

    private int warned;

    /// <summary>The difference that is tolerated.</summary>
    /// <param name="expiry">The ownership expiry.</param>
    public static TimeSpan GetTolerated(TimeSpan expiry) => expiry * Tolerated;

    public void Note(ClockDifference difference)
    {
        if (difference.AtLeast.Duration() > GetTolerated(expiry) && Interlocked.Exchange(ref warned, 1) == 0)
        {
            warn(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"warning: the storage clock is at {difference.Service.UtcDateTime:HH:mm:ss}, the clock of this machine at {difference.Own.UtcDateTime:HH:mm:ss.f} (UTC). They differ by more than 10 % of the ownership expiry of {expiry.TotalSeconds:0.###} s"
                )
            );
        }
    }
}
