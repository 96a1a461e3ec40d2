using System.Xml;
using System.Xml.Linq;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Rules;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>Named values of a rule. XML names their types explicitly, AMQP encodes them.</summary>
internal static class TypedValue
{
    private const string Pair = "KeyValueOfstringanyType";

    // Must have four letters, because one of the SDKs counts them.
    private const string Prefix = "d6p1";

    /// <exception cref="AtomException">The type of a value is not allowed in a rule, or the value does not fit its type.</exception>
    public static AmqpMap ReadAll(XElement? pairs)
    {
        var values = new AmqpMap();
        foreach (var pair in pairs?.Elements(AtomNames.ServiceBus + Pair) ?? [])
        {
            if (pair.Element(AtomNames.ServiceBus + "Key")?.Value is not { Length: > 0 } key || pair.Element(AtomNames.ServiceBus + "Value") is not { } value)
            {
                throw new AtomException(400, $"A value in '{pairs!.Name.LocalName}' lacks its Key or its Value.");
            }

            values[key] = Read(key, value);
        }

        return values;
    }

    public static IEnumerable<XElement> WriteAll(AmqpMap values) =>
        values.Select(static pair => new XElement(
            AtomNames.ServiceBus + Pair,
            new XElement(AtomNames.ServiceBus + "Key", AtomText.Of(pair.Key.ToString()!)),
            Write(pair.Value)
        ));

    private static object Read(string key, XElement value)
    {
        var type = value.Attribute(AtomNames.Instance + "type")?.Value.Split(':')[^1] ?? "string";
        try
        {
            return type switch
            {
                "string" => value.Value,
                "int" => XmlConvert.ToInt32(value.Value),
                "long" => XmlConvert.ToInt64(value.Value),
                "boolean" => XmlConvert.ToBoolean(value.Value),
                "double" => XmlConvert.ToDouble(value.Value),
                "duration" => new AmqpDescribed(SqlValues.Duration, XmlConvert.ToTimeSpan(value.Value).Ticks),
                "dateTime" => AmqpTimestamp.From(XmlConvert.ToDateTimeOffset(value.Value)),
                _ => throw new AtomException(
                    400,
                    $"The value of '{AtomText.Shown(key)}' has a type that is not supported here. Supported are string, int, long, boolean, double, duration and dateTime."
                ),
            };
        }
        catch (Exception exception) when (exception is FormatException or OverflowException or ArgumentOutOfRangeException)
        {
            throw new AtomException(400, $"The value of '{AtomText.Shown(key)}' does not fit its type {type}.");
        }
    }

    private static XElement Write(object? value)
    {
        var (type, text) = value switch
        {
            int or short or sbyte or byte or ushort => ("int", Convert.ToString(value, System.Globalization.CultureInfo.InvariantCulture)!),
            long or uint or ulong => ("long", Convert.ToString(value, System.Globalization.CultureInfo.InvariantCulture)!),
            bool flag => ("boolean", AtomText.Of(flag)),
            double number => ("double", XmlConvert.ToString(number)),
            float number => ("double", XmlConvert.ToString((double)number)),
            AmqpDescribed { Descriptor: AmqpSymbol { Value: SqlValues.DurationName }, Value: long ticks } => (
                "duration",
                XmlConvert.ToString(new TimeSpan(ticks))
            ),
            AmqpTimestamp time => ("dateTime", AtomText.Of(time.ToDateTimeOffset())),
            _ => ("string", AtomText.Of(value?.ToString() ?? string.Empty)),
        };
        return new XElement(
            AtomNames.ServiceBus + "Value",
            new XAttribute(XNamespace.Xmlns + Prefix, AtomNames.Schema.NamespaceName),
            new XAttribute(AtomNames.Instance + "type", $"{Prefix}:{type}"),
            text
        );
    }
}
