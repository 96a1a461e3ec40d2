using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Amqp.Framing;

/// <summary>Checks the small enumerations of the wire: an undefined value is malformed.</summary>
internal static class SettlementFields
{
    public static LinkRole Role(bool? value, string field) => AmqpReader.Mandatory(value, field) ? LinkRole.Receiver : LinkRole.Sender;

    public static SenderSettleMode? Sender(byte? value) =>
        value is null or <= (byte)SenderSettleMode.Mixed ? (SenderSettleMode?)value : throw AmqpException.Decode($"{value} is not a snd-settle-mode.");

    public static ReceiverSettleMode? Receiver(byte? value) =>
        value is null or <= (byte)ReceiverSettleMode.Second ? (ReceiverSettleMode?)value : throw AmqpException.Decode($"{value} is not a rcv-settle-mode.");
}
