using EventHubThroughput.Profiles;

namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// The end of operations of one kind, by their law (docs/laboratory.md): its draws, and which operation waits for which. Calls must be in the order of time.
/// </summary>
/// <param name="law">The law.</param>
/// <param name="profile">Defines when times are longer or shorter.</param>
/// <param name="random">The draws.</param>
internal sealed class SimulatedLaw(LatencyLaw law, LatencyProfile profile, Random random)
{
    private readonly PriorityQueue<double, double> places = new();
    private double paceFree;
    private long operations;

    /// <summary>Whether a pace limits the operations.</summary>
    public bool IsPaced => law.IsPaced;

    /// <summary>The end of an operation that arrives now.</summary>
    /// <param name="now">The present time.</param>
    /// <param name="load">Its load.</param>
    /// <param name="serialFree">When the serial part of the operation before on the same link ends. Afterwards that of this one.</param>
    public double GetEnd(double now, SimulatedLoad load, ref double serialFree)
    {
        var begin = now;
        if (law.IsPaced)
        {
            paceFree =
                Math.Max(now, paceFree)
                + (
                    1_000
                    * Math.Max(Share(1, law.OperationsPerSecond), Math.Max(Share(load.Events, law.EventsPerSecond), Share(load.Bytes, law.BytesPerSecond)))
                );
            begin = paceFree;
        }

        begin = Math.Max(begin, serialFree);
        var factor = profile.Steps.Count == 0 ? 1 : profile.FactorAt(begin / 1_000);
        serialFree = begin + (law.SerialMilliseconds * factor);
        var length = Draw() * factor;
        return Occupy(serialFree, length) + length;
    }

    private static double Share(double amount, double rate) => rate > 0 ? amount / rate : 0;

    private double Draw()
    {
        operations++;
        return law.Draw(random) + (law.StragglerEvery > 0 && operations % law.StragglerEvery == 0 ? law.StragglerMilliseconds : 0);
    }

    // Above this number of concurrent operations, an operation waits for the first free place.
    private double Occupy(double ready, double length)
    {
        if (law.Concurrency == 0)
        {
            return ready;
        }

        var start = places.Count < law.Concurrency ? ready : Math.Max(ready, places.Dequeue());
        places.Enqueue(start + length, start + length);
        return start;
    }
}

/// <summary>The load of an operation.</summary>
/// <param name="Events">Events, or messages.</param>
/// <param name="Bytes">Their bytes.</param>
internal readonly record struct SimulatedLoad(int Events, double Bytes);
