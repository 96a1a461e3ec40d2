namespace EventHubThroughput.Model.Simulating;

/// <summary>Event after event in as many places as the degree allows, whichever batch they came in.</summary>
/// <param name="degree">Most events in flight.</param>
/// <param name="write">Writes one event.</param>
internal sealed class Pipeline(int degree, EventWrite write) : ISimulatedStrategy
{
    private int next;
    private int end;
    private int underWay;

    public void Dispatch(int from, int count, Action returned)
    {
        end = from + count;
        Begin();
        returned();
    }

    private void Begin()
    {
        while (underWay < degree && next < end)
        {
            underWay++;
            write.Begin(next++, Completed);
        }
    }

    private void Completed()
    {
        underWay--;
        Begin();
    }
}
