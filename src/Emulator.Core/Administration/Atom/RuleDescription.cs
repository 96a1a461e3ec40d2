using System.Xml.Linq;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>Converts between the description of a rule and the equivalent request of the management over AMQP.</summary>
internal static class RuleDescription
{
    // The order in which AMQP lists the fields of a correlation filter.
    private static readonly (string Element, string Field)[] Correlations =
    [
        ("CorrelationId", "correlation-id"),
        ("MessageId", "message-id"),
        ("To", "to"),
        ("ReplyTo", "reply-to"),
        ("Label", "label"),
        ("SessionId", "session-id"),
        ("ReplyToSessionId", "reply-to-session-id"),
        ("ContentType", "content-type"),
    ];

    /// <exception cref="AtomException">The description asks for a rule that is not supported here.</exception>
    public static AmqpMap Read(string name, XElement description)
    {
        if (name.IndexOfAny(['/', '\\', '?', '#', '@']) >= 0)
        {
            throw new AtomException(400, $"'{AtomText.Shown(name)}' is not a name of a rule: '/', '\\', '?', '#' and '@' are not allowed.");
        }

        var rule = new AmqpMap();
        var filter = description.Element(AtomNames.ServiceBus + "Filter");
        switch (GetTypeName(filter))
        {
            case null or "TrueFilter":
                rule.Add("sql-filter", new AmqpMap { { "expression", "1=1" } });
                break;
            case "FalseFilter":
                rule.Add("sql-filter", new AmqpMap { { "expression", "1=0" } });
                break;
            case "SqlFilter":
                rule.Add("sql-filter", Sql(filter!));
                break;
            case "CorrelationFilter":
                rule.Add("correlation-filter", Correlation(filter!));
                break;
            case { } type:
                throw new AtomException(
                    400,
                    $"The filter '{AtomText.Shown(type)}' is not supported. Supported are SqlFilter, TrueFilter, FalseFilter and CorrelationFilter."
                );
        }

        if (description.Element(AtomNames.ServiceBus + "Action") is { } action && GetTypeName(action) is not (null or "EmptyRuleAction"))
        {
            rule.Add("sql-rule-action", Sql(action));
        }

        return new AmqpMap { { "rule-name", name }, { "rule-description", rule } };
    }

    public static XElement Write(SubscriptionRule rule) =>
        DescriptionElements.Description(
            "RuleDescription",
            Filter(rule.Filter),
            Typed("Action", "EmptyRuleAction"),
            DescriptionElements.Of("CreatedAt", AtomText.Of(rule.Created)),
            DescriptionElements.Of("Name", AtomText.Of(rule.Name))
        );

    private static AmqpMap Sql(XElement element) =>
        new() { { "expression", Text(element, "SqlExpression") }, { "parameters", TypedValue.ReadAll(element.Element(AtomNames.ServiceBus + "Parameters")) } };

    private static AmqpMap Correlation(XElement filter)
    {
        if (filter.Elements().FirstOrDefault(static one => !IsCondition(one.Name.LocalName)) is { } unknown)
        {
            throw new AtomException(400, $"'{AtomText.Shown(unknown.Name.LocalName)}' is not a supported condition of a correlation.");
        }

        var map = new AmqpMap();
        foreach (var (element, field) in Correlations)
        {
            if (Text(filter, element) is { Length: > 0 } text)
            {
                map.Add(field, text);
            }
        }

        map.Add("properties", TypedValue.ReadAll(filter.Element(AtomNames.ServiceBus + "Properties")));
        return map;
    }

    private static bool IsCondition(string name) => name == "Properties" || Array.Exists(Correlations, one => one.Element == name);

    private static XElement Filter(RuleFilter filter) =>
        filter switch
        {
            ConstantFilter constant => Sql(constant.IsTrue ? "TrueFilter" : "FalseFilter", constant.IsTrue ? "1=1" : "1=0", []),
            SqlFilter sql => Sql("SqlFilter", sql.Expression, sql.Parameters),
            _ => Correlation((AmqpList)filter.Describe().Value!),
        };

    private static XElement Sql(string type, string expression, AmqpMap parameters) =>
        Typed(
            "Filter",
            type,
            DescriptionElements.Of("SqlExpression", AtomText.Of(expression)),
            DescriptionElements.Of("CompatibilityLevel", AtomText.Of(20)),
            DescriptionElements.Of("Parameters", TypedValue.WriteAll(parameters))
        );

    private static XElement Correlation(AmqpList fields)
    {
        var content = Correlations.Zip(fields, static (one, value) => value is string text ? DescriptionElements.Of(one.Element, AtomText.Of(text)) : null);
        var properties = DescriptionElements.Of("Properties", TypedValue.WriteAll((AmqpMap)fields[Correlations.Length]!));
        return Typed("Filter", "CorrelationFilter", content, properties);
    }

    private static XElement Typed(string name, string type, params object?[] content) =>
        new(AtomNames.ServiceBus + name, new XAttribute(AtomNames.Instance + "type", type), content);

    private static string? GetTypeName(XElement? element) => element?.Attribute(AtomNames.Instance + "type")?.Value.Split(':')[^1];

    private static string? Text(XElement element, string name) => element.Element(AtomNames.ServiceBus + name)?.Value;
}
