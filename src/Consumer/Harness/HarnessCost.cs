namespace EventHubThroughput.Consumer.Harness;

/// <summary>What an event cost.</summary>
/// <param name="Nanoseconds">Time of the thread that processed it.</param>
/// <param name="Bytes">What was allocated for it.</param>
internal readonly record struct HarnessCost(double Nanoseconds, double Bytes);
