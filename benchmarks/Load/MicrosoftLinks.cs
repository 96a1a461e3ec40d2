using Microsoft.Azure.Amqp;
using Microsoft.Azure.Amqp.Framing;

namespace EventHubThroughput.Load;

/// <summary>The links of Microsoft.Azure.Amqp as the other libraries have them: unsettled, and settled by the answer.</summary>
internal static class MicrosoftLinks
{
    public static AmqpLinkSettings ToSend(string address) =>
        new()
        {
            LinkName = "sender",
            Role = false,
            InitialDeliveryCount = 0,
            SettleType = SettleMode.SettleOnDispose,
            Source = new Source { Address = "here" },
            Target = new Target { Address = address },
        };

    public static AmqpLinkSettings ToReceive(string address, uint credit) =>
        new()
        {
            LinkName = "receiver",
            Role = true,
            TotalLinkCredit = credit,
            AutoSendFlow = true,
            SettleType = SettleMode.SettleOnDispose,
            Source = new Source { Address = address },
            Target = new Target { Address = "here" },
        };

    /// <summary>A message with a data section of no bytes.</summary>
    public static AmqpMessage CreateEmpty() => AmqpMessage.Create(new Data { Value = new ArraySegment<byte>([]) });

    public static ArraySegment<byte> GetTag(int number) => new(BitConverter.GetBytes(number));
}
