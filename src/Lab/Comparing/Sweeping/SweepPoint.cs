namespace EventHubThroughput.Lab.Comparing.Sweeping;

/// <summary>One point of a sweep.</summary>
/// <param name="Series">What is swept: a strategy with all of its settings except the degree.</param>
/// <param name="Degree">The degree.</param>
internal sealed record SweepPoint(string Series, int Degree)
{
    /// <summary>Its label in the comparison.</summary>
    public string Label => $"{Series}:degree={Degree}";
}
