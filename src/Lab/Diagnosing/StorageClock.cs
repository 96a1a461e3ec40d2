using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Running;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>Keeps the largest difference of the storage clock that an answer has shown. May be called from any thread.</summary>
/// <param name="expiry">The ownership expiry. Ownerships are dated by the storage clock and expire by the local one.</param>
internal sealed class StorageClock(TimeSpan expiry)
{
    private const string Subject = "clock";

    private readonly Lock gate = new();

    // Guarded by the gate.
    private ClockDifference? largest;

    public void Note(ClockDifference difference)
    {
        lock (gate)
        {
            if (largest is not { } known || difference.AtLeast.Duration() >= known.AtLeast.Duration())
            {
                largest = difference;
            }
        }
    }

    /// <summary>The result after the other checks of storage.</summary>
    public CheckResult Check()
    {
        lock (gate)
        {
            if (largest is not { } difference)
            {
                return CheckResult.Skipped(Subject, "storage has not answered");
            }

            var seconds = string.Create(CultureInfo.InvariantCulture, $"{difference.AtLeast.Duration().TotalSeconds:0} s");
            return difference.AtLeast.Duration() <= ClockWatch.GetTolerated(expiry)
                ? CheckResult.Ok(Subject, difference.AtLeast == TimeSpan.Zero ? "as that of storage" : $"differs from that of storage by {seconds}")
                : CheckResult.Failed(
                    Subject,
                    $"the storage clock is {seconds} {(difference.AtLeast > TimeSpan.Zero ? "ahead of" : "later than")} the clock of this machine",
                    "set the clock of this machine by NTP. Ownerships would expire too early or too late"
                );
        }
    }
}
