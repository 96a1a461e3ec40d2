namespace EventHubThroughput.Amqp.Framing;

/// <summary>The direction of a frame.</summary>
public enum FrameDirection
{
    /// <summary>The peer sent it.</summary>
    Received,

    /// <summary>We sent it.</summary>
    Sent,
}

/// <summary>
/// Sees what one connection reads and writes, in the order of the wire. Calls of the two directions may be concurrent. The loops of the connection call it
/// and continue when it returns. It must not throw. It sees secrets (SASL, tokens) and bodies. <see cref="FrameText"/> leaves both out.
/// </summary>
public interface IFrameObserver
{
    /// <summary>A protocol header.</summary>
    void Saw(FrameDirection direction, ProtocolHeader header);

    /// <summary>A frame.</summary>
    void Saw(FrameDirection direction, in Frame frame);
}
