namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// Operations of one kind over one link, with a law and optionally a quota. A refused operation is repeated after the advised wait. If the back-off of the
/// program is longer, it waits for that (from 0.1 s doubling, full jitter, at most 5 s). It is repeated for ever, like a blocked event.
/// </summary>
/// <param name="calendar">The virtual time.</param>
/// <param name="law">Defines when operations end.</param>
/// <param name="quota">May refuse operations, or null.</param>
/// <param name="eventBytes">Mean bytes of an event.</param>
/// <param name="jitter">Draws the back-off.</param>
/// <param name="ended">Receives the duration of each.</param>
internal sealed class SimulatedService(Calendar calendar, SimulatedLaw law, SimulatedQuota? quota, double eventBytes, Random jitter, Action<double> ended)
{
    private const double FirstPause = 100;
    private const double LongestPause = 5_000;

    private double serialFree;

    /// <summary>Starts an operation.</summary>
    /// <param name="events">The number of its events.</param>
    /// <param name="done">Called when it is done.</param>
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
            calendar.At(law.GetEnd(calendar.Now, load, ref serialFree), done);
            return;
        }

        var wait = Math.Max(quota.Advice, pause * jitter.NextDouble());
        calendar.At(calendar.Now + wait, () => Try(load, done, Math.Min(LongestPause, 2 * pause)));
    }
}
