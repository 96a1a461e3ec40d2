namespace EventHubThroughput.Metrics;

/// <summary>A value that may rise and fall. Setting takes no lock and allocates nothing.</summary>
public sealed class Gauge
{
    private double current;

    internal Gauge() { }

    public double Value => Volatile.Read(ref current);

    public void Set(double value) => Volatile.Write(ref current, value);

    public void Add(double amount) => AtomicDouble.Add(ref current, amount);
}
