namespace EventHubThroughput.Consumer.Configuration;

/// <summary>The times of a run that is measured by the clock instead of by its backlog.</summary>
/// <param name="WarmUp">What is left out after the first batch has come; null leaves out ten batches.</param>
/// <param name="Length">For how long is measured then, whereupon the run ends and leaves the rest of its backlog; null goes on to its end.</param>
internal sealed record MeasuringTimes(TimeSpan? WarmUp, TimeSpan? Length);
