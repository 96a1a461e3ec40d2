namespace EventHubThroughput.Model;

/// <summary>What a run would reach.</summary>
/// <param name="Form">The closed form that says so, or how it was simulated.</param>
/// <param name="EventsPerSecond">Its rate over all partitions.</param>
internal sealed record Prediction(string Form, double EventsPerSecond);

/// <summary>What a simulation saw, its beginning left out.</summary>
internal sealed record SimulatedFigures
{
    /// <summary>Events completed a second, over all partitions.</summary>
    public required double EventsPerSecond { get; init; }

    /// <summary>From an event's hand-over to the strategy until every sink has it.</summary>
    public required SimulatedTimes SinceHandOver { get; init; }

    /// <summary>From the beginning of its first write: the stage <c>event</c> of a run.</summary>
    public required SimulatedTimes SinceBegun { get; init; }

    /// <summary>Mean of the events begun and not complete, over all partitions.</summary>
    public required double MeanInFlight { get; init; }

    /// <summary>Checkpoints stored for a thousand events.</summary>
    public required double CheckpointsPerThousand { get; init; }

    /// <summary>Most events of a partition that a crash would have repeated.</summary>
    public required long LargestReplay { get; init; }

    /// <summary>Operations that a quota refused, for a thousand events.</summary>
    public required double ThrottlesPerThousand { get; init; }

    /// <summary>Sends of messages.</summary>
    public SimulatedStep? Message { get; init; }

    /// <summary>Uploads of blobs.</summary>
    public SimulatedStep? Blob { get; init; }

    /// <summary>Writes of checkpoints, by the events that each covers and the one before did not.</summary>
    public SimulatedStep? Checkpoint { get; init; }

    /// <summary>Batches from when they came until the next one was asked for, by their events.</summary>
    public SimulatedStep? Batch { get; init; }
}

/// <summary>Durations of one kind of operation, in milliseconds.</summary>
/// <param name="Mean">Of all of them.</param>
/// <param name="Shown">What a gauge that each one overwrites shows, on average over time.</param>
/// <param name="ByPlace">Of those that ended first in their batch, of those that ended second, and so on. With one partition.</param>
internal sealed record SimulatedStep(double Mean, double Shown, IReadOnlyList<double> ByPlace);

/// <summary>Times in milliseconds.</summary>
/// <param name="Mean">Their mean.</param>
/// <param name="P50">Half of them took no longer.</param>
/// <param name="P99">Of a hundred ninety-nine took no longer.</param>
internal readonly record struct SimulatedTimes(double Mean, double P50, double P99)
{
    /// <summary>Sorts the values.</summary>
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
