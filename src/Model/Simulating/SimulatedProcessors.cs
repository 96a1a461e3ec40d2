namespace EventHubThroughput.Model.Simulating;

/// <summary>Processors that work is done on in the order in which it comes, each piece by one of them.</summary>
/// <param name="count">How many.</param>
internal sealed class SimulatedProcessors(int count)
{
    private readonly double[] free = new double[count];

    /// <summary>When work that comes now is done.</summary>
    /// <param name="now">The moment.</param>
    /// <param name="milliseconds">What it takes a processor.</param>
    public double EndOf(double now, double milliseconds)
    {
        var first = 0;
        for (var one = 1; one < free.Length; one++)
        {
            first = free[one] < free[first] ? one : first;
        }

        return free[first] = Math.Max(now, free[first]) + milliseconds;
    }
}
