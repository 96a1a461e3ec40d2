namespace EventHubThroughput.Amqp.Framing;

/// <summary>
/// What a read loop reads the two performatives into that come with every message, again and again: whoever is handed one has done with it by the
/// next frame.
/// </summary>
internal sealed class ReusedPerformatives
{
    public Transfer Transfer { get; } = new();

    public Disposition Disposition { get; } = new();
}
