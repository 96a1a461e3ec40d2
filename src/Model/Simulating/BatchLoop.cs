namespace EventHubThroughput.Model.Simulating;

/// <summary>One batch at a time, with up to the degree of its events concurrently.</summary>
/// <param name="degree">The most events in flight.</param>
/// <param name="write">Writes one event.</param>
internal sealed class BatchLoop(int degree, EventWrite write) : ISimulatedStrategy
{
    private int next;
    private int end;
    private int left;
    private Action returned = static () => { };

    public void Dispatch(int from, int count, Action returned)
    {
        (next, end, left, this.returned) = (from, from + count, count, returned);
        for (var places = Math.Min(degree, count); places > 0; places--)
        {
            Begin();
        }
    }

    private void Begin() => write.Begin(next++, Completed);

    private void Completed()
    {
        left--;
        if (left == 0)
        {
            returned();
        }
        else if (next < end)
        {
            Begin();
        }
    }
}
