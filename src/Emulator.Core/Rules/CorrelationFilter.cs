using System.Globalization;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Messages;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>Accepts messages whose properties equal all given values. Text comparison is case-sensitive.</summary>
internal sealed class CorrelationFilter : RuleFilter
{
    // The names of the fields in a request, in the order of the list that describes the filter.
    private static readonly string[] Fields = ["correlation-id", "message-id", "to", "reply-to", "label", "session-id", "reply-to-session-id", "content-type"];

    /// <summary>The names of all conditions in a request.</summary>
    public static IReadOnlyCollection<string> Conditions { get; } = [.. Fields, "properties"];

    private readonly string?[] _expected;
    private readonly AmqpMap _properties;

    private CorrelationFilter(string?[] expected, AmqpMap properties)
    {
        _expected = expected;
        _properties = properties;
    }

    /// <summary>Creates a filter from the map of a client. Null when it has no condition.</summary>
    public static CorrelationFilter? Of(AmqpMap request)
    {
        var filter = new CorrelationFilter(Array.ConvertAll(Fields, request.FindString), request.Find("properties") as AmqpMap ?? new AmqpMap());
        return filter._properties.Count > 0 || Array.Exists(filter._expected, static value => value is not null) ? filter : null;
    }

    public static CorrelationFilter Of(AmqpList description)
    {
        var expected = new string?[Fields.Length];
        for (var i = 0; i < expected.Length && i < description.Count; i++)
        {
            expected[i] = description[i] as string;
        }

        return new CorrelationFilter(expected, description.Count > Fields.Length ? description[Fields.Length] as AmqpMap ?? new AmqpMap() : new AmqpMap());
    }

    public override bool Takes(FilteredMessage message)
    {
        for (var i = 0; i < _expected.Length; i++)
        {
            if (_expected[i] is { } expected && !AreEqual(expected, Found(message.Properties, i), message.Budget))
            {
                return false;
            }
        }

        foreach (var (name, expected) in _properties)
        {
            if (
                !message.ApplicationProperties.TryGetValue(name is AmqpSymbol symbol ? symbol.Value : name, out var found)
                || !AreEqual(expected, found, message.Budget)
            )
            {
                return false;
            }
        }

        return true;
    }

    public override AmqpDescribed Describe() => new(CorrelationCode, new AmqpList([.. _expected, _properties]));

    private static string? Found(MessageProperties properties, int field) =>
        field switch
        {
            0 => MessageContent.GetText(properties.CorrelationId),
            1 => MessageContent.GetText(properties.MessageId),
            2 => properties.To,
            3 => properties.ReplyTo,
            4 => properties.Subject,
            5 => properties.GroupId,
            6 => properties.ReplyToGroupId,
            _ => properties.ContentType,
        };

    private static bool AreEqual(object? expected, object? found, RuleBudget budget)
    {
        budget.Spend(1);
        budget.SpendOnComparing(expected, found);
        return AreEqual(expected, found);
    }

    // Clients encode the same number with different widths.
    private static bool AreEqual(object? expected, object? found) =>
        Equals(expected, found)
        || (
            IsInteger(expected)
            && IsInteger(found)
            && Convert.ToDecimal(expected, CultureInfo.InvariantCulture) == Convert.ToDecimal(found, CultureInfo.InvariantCulture)
        );

    private static bool IsInteger(object? value) => value is byte or sbyte or short or ushort or int or uint or long or ulong;
}
