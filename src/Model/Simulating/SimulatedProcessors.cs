namespace EventHubThroughput.Model.Simulating;

/// <summary>Processors that do work in the order in which it arrives, each piece on one of them.</summary>
/// <param name="count">The number of processors.</param>
internal sealed class SimulatedProcessors(int count)
{
    private readonly double[] free = new double[count];

    /// <summary>When work that arrives now is done.</summary>
    /// <param name="now">The present time.</param>
    /// <param name="milliseconds">The processor time that it takes.</param>
    public double GetEnd(double now, double milliseconds)
    {
        var first = 0;
        for (var one = 1; one < free.Length; one++)
        {
            first = free[one] < free[first] ? one : first;
        }

        return free[first] = Math.Max(now, free[first]) + milliseconds;
    }
}
