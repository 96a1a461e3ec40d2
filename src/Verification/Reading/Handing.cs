namespace EventHubThroughput.Verification.Reading;

/// <summary>What it means that an event was handed to a link.</summary>
/// <param name="Incarnation">The incarnation that was given it; null when none was.</param>
/// <param name="Contradicts">Whether the journal contradicts itself: the link had been given the event, or begins behind it.</param>
internal readonly record struct Handing(int? Incarnation, bool Contradicts)
{
    public static Handing ToOnlooker { get; }

    public static Handing Impossible { get; } = new(null, Contradicts: true);

    public static Handing To(int incarnation) => new(incarnation, Contradicts: false);
}
