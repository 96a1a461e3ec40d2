using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>
/// The part of an operation's law that the whole emulator shares: a pace, and a number of places for service. Both are stored as the times at which they are
/// free again, so no lock is held during a wait. Called under the gate of the operation.
/// </summary>
internal sealed class ServiceQueue(LatencyLaw law, long frequency)
{
    private readonly double[] _places = new double[law.Concurrency];
    private double _paceFree;

    /// <summary>When the pace admits a load, and how long the load then occupies it.</summary>
    public (double Start, double Cost) Pace(double now, Load load)
    {
        if (!law.IsPaced)
        {
            return (now, 0);
        }

        var cost =
            frequency * Math.Max(Share(1, law.OperationsPerSecond), Math.Max(Share(load.Count, law.EventsPerSecond), Share(load.Bytes, law.BytesPerSecond)));
        var start = Math.Max(now, _paceFree);
        _paceFree = start + cost;
        return (start, cost);
    }

    /// <summary>When a place is free for a service of this length, in order of the calls.</summary>
    public double Occupy(double ready, double length)
    {
        if (_places.Length == 0)
        {
            return ready;
        }

        var first = 0;
        for (var place = 1; place < _places.Length; place++)
        {
            first = _places[place] < _places[first] ? place : first;
        }

        var start = Math.Max(ready, _places[first]);
        _places[first] = start + length;
        return start;
    }

    private static double Share(double amount, double rate) => rate > 0 ? amount / rate : 0;
}
