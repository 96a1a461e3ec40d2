namespace EventHubThroughput.Amqp.Framing;

/// <summary>The side of a link. On the wire a boolean, true for the receiver.</summary>
public enum LinkRole
{
    /// <summary>The sender.</summary>
    Sender,

    /// <summary>The receiver.</summary>
    Receiver,
}

/// <summary>How the sender settles its deliveries (AMQP 1.0 part 2, 2.8.2).</summary>
public enum SenderSettleMode : byte
{
    /// <summary>Every delivery is sent unsettled.</summary>
    Unsettled = 0,

    /// <summary>Every delivery is sent settled.</summary>
    Settled = 1,

    /// <summary>The sender chooses for each delivery. The default.</summary>
    Mixed = 2,
}

/// <summary>When the receiver settles its deliveries (AMQP 1.0 part 2, 2.8.3).</summary>
public enum ReceiverSettleMode : byte
{
    /// <summary>Immediately, with the outcome. The default.</summary>
    First = 0,

    /// <summary>Only after the sender has settled.</summary>
    Second = 1,
}
