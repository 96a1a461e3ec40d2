using System.Globalization;

namespace EventHubThroughput.Clients.Connections;

/// <summary>Message identifiers as text.</summary>
internal static class IdentifierText
{
    /// <summary>The text of a string, ulong, uuid or binary (AMQP 1.0 part 3, 3.2.11 to 3.2.14). See <see cref="Events.ReceivedEvent.MessageId"/>.</summary>
    public static string? Of(object? identifier) =>
        identifier switch
        {
            ulong number => number.ToString(CultureInfo.InvariantCulture),
            ReadOnlyMemory<byte> bytes => Convert.ToHexString(bytes.Span),
            _ => identifier?.ToString(),
        };
}
