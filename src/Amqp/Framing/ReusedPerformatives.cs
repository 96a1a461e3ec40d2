namespace EventHubThroughput.Amqp.Framing;

/// <summary>
/// What a read loop reads the performatives into that come with messages and their credit, frame after frame: whoever is handed one has done with it by
/// the next.
/// </summary>
internal sealed class ReusedPerformatives
{
    public Transfer Transfer { get; } = new();

    public Disposition Disposition { get; } = new();

    public Flow Flow { get; } = new();
}
