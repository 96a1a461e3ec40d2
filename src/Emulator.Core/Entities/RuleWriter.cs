using System.Text.Json;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>Rules in the form of the settings file, as <see cref="RuleReader"/> reads them.</summary>
internal static class RuleWriter
{
    /// <summary>The conditions of a correlation filter in settings and in requests, in the order of its text.</summary>
    public static IReadOnlyList<(string Name, string Field)> Correlations { get; } =
    [
        ("correlationId", "correlation-id"),
        ("messageId", "message-id"),
        ("to", "to"),
        ("replyTo", "reply-to"),
        ("subject", "label"),
        ("sessionId", "session-id"),
        ("replyToSessionId", "reply-to-session-id"),
        ("contentType", "content-type"),
    ];

    public static void Members(Utf8JsonWriter json, FirstRule rule)
    {
        json.WriteString("name", rule.Name);
        switch (rule.Filter)
        {
            case ConstantFilter constant:
                json.WriteString("sql", constant.IsTrue ? "1=1" : "1=0");
                break;
            case SqlFilter sql:
                json.WriteString("sql", sql.Expression);
                Values(json, "parameters", sql.Parameters);
                break;
            default:
                Correlation(json, (AmqpList)rule.Filter.Describe().Value!);
                break;
        }
    }

    private static void Correlation(Utf8JsonWriter json, AmqpList description)
    {
        json.WriteStartObject("correlation");
        for (var i = 0; i < Correlations.Count; i++)
        {
            if (description[i] is string text)
            {
                json.WriteString(Correlations[i].Name, text);
            }
        }

        Values(json, "properties", (AmqpMap)description[Correlations.Count]!);
        json.WriteEndObject();
    }

    private static void Values(Utf8JsonWriter json, string name, AmqpMap values)
    {
        if (values.Count == 0)
        {
            return;
        }

        json.WriteStartObject(name);
        foreach (var (key, value) in values)
        {
            json.WritePropertyName(key.ToString()!);
            switch (SqlValues.Of(value))
            {
                case bool flag:
                    json.WriteBooleanValue(flag);
                    break;
                case long number:
                    json.WriteNumberValue(number);
                    break;
                case double number when double.IsFinite(number):
                    json.WriteNumberValue(number);
                    break;
                case var other:
                    json.WriteStringValue(SqlValues.GetText(other));
                    break;
            }
        }

        json.WriteEndObject();
    }
}
