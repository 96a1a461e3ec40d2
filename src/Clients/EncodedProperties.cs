using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Clients;

/// <summary>Reads application properties, which travel from the event hub to the sinks as their encoded bytes.</summary>
public static class EncodedProperties
{
    /// <summary>
    /// The properties by name. Empty for none, and for bytes that are not a map. A comparison of the bytes still finds the difference. A search for a name
    /// finds nothing.
    /// </summary>
    /// <param name="encoded">One AMQP map, as in <see cref="Events.ReceivedEvent.EncodedProperties"/>.</param>
    public static IReadOnlyDictionary<string, object?> Decode(ReadOnlyMemory<byte> encoded)
    {
        var properties = new Dictionary<string, object?>(StringComparer.Ordinal);
        if (encoded.IsEmpty)
        {
            return properties;
        }

        try
        {
            foreach ((var key, var value) in new AmqpReader(encoded).ReadMap())
            {
                properties[key.ToString() ?? string.Empty] = value;
            }
        }
        catch (AmqpException)
        {
            properties.Clear();
        }

        return properties;
    }
}
