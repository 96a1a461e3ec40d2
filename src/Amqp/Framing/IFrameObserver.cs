namespace EventHubThroughput.Amqp.Framing;

/// <summary>Which way a frame went.</summary>
public enum FrameDirection
{
    /// <summary>The peer sent it.</summary>
    Received,

    /// <summary>We sent it.</summary>
    Sent,
}

/// <summary>
/// Sees what one connection reads and writes, in each direction in the order of the wire, both directions at once. It is called by the
/// loops of the connection, which go on when it returns. It must not throw. What it is shown holds secrets (SASL, tokens) and bodies:
/// <see cref="FrameText"/> leaves both out.
/// </summary>
public interface IFrameObserver
{
    /// <summary>A protocol header.</summary>
    void Saw(FrameDirection direction, ProtocolHeader header);

    /// <summary>A frame.</summary>
    void Saw(FrameDirection direction, in Frame frame);
}
