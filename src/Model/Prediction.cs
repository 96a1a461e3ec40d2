namespace EventHubThroughput.Model;

/// <summary>The predicted rate of a run.</summary>
/// <param name="Form">The closed form, or how it was simulated.</param>
/// <param name="EventsPerSecond">Its rate over all partitions.</param>
internal sealed record Prediction(string Form, double EventsPerSecond);

/// <summary>The results of a simulation without its beginning.</summary>
internal sealed record SimulatedFigures
{
    /// <summary>Completed events per second, over all partitions.</summary>
    public required double EventsPerSecond { get; init; }

    /// <summary>The time from an event's hand-over to the strategy until every sink has it.</summary>
    public required SimulatedTimes SinceHandOver { get; init; }

    /// <summary>The time from the beginning of its first write: the stage <c>event</c> of a run.</summary>
    public required SimulatedTimes SinceBegun { get; init; }

    /// <summary>Mean of the events begun and not complete, over all partitions.</summary>
    public required double MeanInFlight { get; init; }

    /// <summary>Checkpoints per thousand events.</summary>
    public required double CheckpointsPerThousand { get; init; }

    /// <summary>The most events of a partition that a crash would have repeated.</summary>
    public required long LargestReplay { get; init; }

    /// <summary>Operations that a quota refused, per thousand events.</summary>
    public required double ThrottlesPerThousand { get; init; }

    /// <summary>Sends of messages.</summary>
    public SimulatedStep? Message { get; init; }

    /// <summary>Uploads of blobs.</summary>
    public SimulatedStep? Blob { get; init; }

    /// <summary>Writes of checkpoints, divided by the number of newly covered events.</summary>
    public SimulatedStep? Checkpoint { get; init; }

    /// <summary>Batches, from their arrival until the next one was requested, divided by their events.</summary>
    public SimulatedStep? Batch { get; init; }
}

/// <summary>Durations of one kind of operation, in milliseconds.</summary>
/// <param name="Mean">The mean of all.</param>
/// <param name="Shown">The value of a gauge that each operation overwrites, averaged over time.</param>
/// <param name="ByPlace">The means of the operations that ended first in their batch, of those that ended second, and so on. With one partition.</param>
internal sealed record SimulatedStep(double Mean, double Shown, IReadOnlyList<double> ByPlace);

/// <summary>Times in milliseconds.</summary>
/// <param name="Mean">The mean.</param>
/// <param name="P50">The median.</param>
/// <param name="P99">The 99th percentile.</param>
internal readonly record struct SimulatedTimes(double Mean, double P50, double P99)
{
    /// <summary>Computes them from values, which it sorts.</summary>
    public static SimulatedTimes Of(List<double> values)
    {
        if (values.Count == 0)
        {
            return default;
        }

        values.Sort();
        return new SimulatedTimes(values.Average(), At(values, 0.50), At(values, 0.99));
    }

    private static double At(List<double> sorted, double share) => sorted[Math.Max(0, (int)Math.Ceiling(share * sorted.Count) - 1)];
}
