namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// Events of one lane one after another, those of different lanes concurrently, up to the degree. Of the events that may begin, the oldest is first. An event
/// that waits for its lane occupies no place.
/// </summary>
/// <param name="degree">The most events in flight.</param>
/// <param name="write">Writes one event.</param>
/// <param name="laneOfNext">The lane of the next event. Null for an event that follows no other.</param>
internal sealed class Lanes(int degree, EventWrite write, Func<int?> laneOfNext) : ISimulatedStrategy
{
    private readonly PriorityQueue<int, int> ready = new();

    // For each occupied lane the events that wait for the one under way.
    private readonly Dictionary<int, Queue<int>> behind = [];
    private readonly Dictionary<int, int> laneOf = [];
    private int underWay;

    public void Dispatch(int from, int count, Action returned)
    {
        for (var number = from; number < from + count; number++)
        {
            Add(number);
        }

        Begin();
        returned();
    }

    private void Add(int number)
    {
        if (laneOfNext() is not { } lane)
        {
            ready.Enqueue(number, number);
            return;
        }

        laneOf.Add(number, lane);
        if (behind.TryGetValue(lane, out var others))
        {
            others.Enqueue(number);
        }
        else
        {
            behind.Add(lane, new Queue<int>());
            ready.Enqueue(number, number);
        }
    }

    private void Begin()
    {
        while (underWay < degree && ready.TryDequeue(out var number, out _))
        {
            underWay++;
            write.Begin(number, () => Completed(number));
        }
    }

    private void Completed(int number)
    {
        underWay--;
        if (laneOf.Remove(number, out var lane))
        {
            if (behind[lane].TryDequeue(out var next))
            {
                ready.Enqueue(next, next);
            }
            else
            {
                behind.Remove(lane);
            }
        }

        Begin();
    }
}
