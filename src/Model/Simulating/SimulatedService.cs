namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// Operations of one kind over one link: of a law, and perhaps under a quota. What is refused comes again after what was advised, or after the program's own
/// back-off (from 0.1 s doubling, full jitter, at most 5 s) where that is longer. For ever, as an event that is blocked does.
/// </summary>
/// <param name="calendar">The time.</param>
/// <param name="law">Tells when operations end.</param>
/// <param name="quota">What may refuse them, or null.</param>
/// <param name="eventBytes">Mean bytes of an event.</param>
/// <param name="jitter">Draws the back-off.</param>
/// <param name="ended">Told how long each took.</param>
internal sealed class SimulatedService(Calendar calendar, SimulatedLaw law, SimulatedQuota? quota, double eventBytes, Random jitter, Action<double> ended)
{
    private const double FirstPause = 100;
    private const double LongestPause = 5_000;

    private double serialFree;

    /// <summary>Has an operation done.</summary>
    /// <param name="events">Events in it.</param>
    /// <param name="done">Called when it is.</param>
    public void Do(int events, Action done)
    {
        var begun = calendar.Now;
        Try(
            new SimulatedLoad(events, events * eventBytes),
            () =>
            {
                ended(calendar.Now - begun);
                done();
            },
            FirstPause
        );
    }

    private void Try(SimulatedLoad load, Action done, double pause)
    {
        if (quota is null || quota.TryTake(calendar.Now, load))
        {
            calendar.At(law.EndOf(calendar.Now, load, ref serialFree), done);
            return;
        }

        var wait = Math.Max(quota.Advice, pause * jitter.NextDouble());
        calendar.At(calendar.Now + wait, () => Try(load, done, Math.Min(LongestPause, 2 * pause)));
    }
}
