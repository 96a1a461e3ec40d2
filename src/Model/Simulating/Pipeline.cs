namespace EventHubThroughput.Model.Simulating;

/// <summary>One event after another in up to the degree of places, across batches.</summary>
/// <param name="degree">The most events in flight.</param>
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
