using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Requests about the rules of a subscription.</summary>
internal sealed class RuleManagement(Subscription subscription)
{
    private const int LongestName = 50;
    private const int MostRules = 2_000;

    // One digit longer than the codes of the filters, which is how clients know them.
    private const ulong RuleDescriptionCode = 0x137_0000_0004;
    private const ulong EmptyActionCode = 0x137_0000_0005;

    private const string NameField = "rule-name";
    private const string DescriptionField = "rule-description";
    private const string SqlFilterField = "sql-filter";
    private const string CorrelationFilterField = "correlation-filter";
    private const string ActionField = "sql-rule-action";
    private const string ExpressionField = "expression";

    public Answer Add(AmqpMap request)
    {
        if (request.FindString(NameField) is not { Length: > 0 and <= LongestName } name)
        {
            return RequestFields.Invalid(NameField);
        }

        if (request.Find(DescriptionField) is not AmqpMap description)
        {
            return RequestFields.Invalid(DescriptionField);
        }

        if (description.Find(ActionField) is AmqpMap action && action.FindString(ExpressionField) is { Length: > 0 })
        {
            return NotSupported("The action of a rule is");
        }

        RuleFilter? filter;
        if (description.Find(CorrelationFilterField) is AmqpMap correlation)
        {
            filter = CorrelationFilter.Of(correlation);
            if (filter is null)
            {
                return new Answer(400, "A correlation filter names at least one property.", AmqpNames.ArgumentError);
            }
        }
        else if (description.Find(SqlFilterField) is AmqpMap sql && sql.FindString(ExpressionField) is { } expression)
        {
            filter = ConstantOf(expression);
            if (filter is null)
            {
                return NotSupported($"The SQL filter '{expression}' is");
            }
        }
        else
        {
            return RequestFields.Invalid(DescriptionField);
        }

        if (subscription.Rules.Count >= MostRules)
        {
            return new Answer(403, $"A subscription has at most {MostRules} rules.", ErrorCondition.ResourceLimitExceeded);
        }

        return subscription.TryAdd(name, filter)
            ? Answer.Ok()
            : new Answer(409, $"The messaging entity '{subscription.Queue.Name}|{name}' already exists.", AmqpNames.EntityAlreadyExistsError);
    }

    public Answer Remove(AmqpMap request)
    {
        if (request.FindString(NameField) is not { } name)
        {
            return RequestFields.Invalid(NameField);
        }

        return subscription.TryRemove(name) ? Answer.Ok() : new Answer(404, Refusals.EntityNotFoundText($"{subscription.Queue.Name}|{name}"), ErrorCondition.NotFound);
    }

    public Answer List(AmqpMap request)
    {
        var skip = (int)Math.Clamp(request.FindInteger("skip") ?? 0, 0, MostRules);
        var top = (int)Math.Clamp(request.FindInteger("top") ?? MostRules, 0, MostRules);
        var rules = new AmqpList(subscription.Rules.Skip(skip).Take(top).Select(static rule => new AmqpMap { { DescriptionField, Describe(rule) } }));
        return rules.Count == 0 ? new Answer(204, "No rules.") : Answer.Ok(new AmqpMap { { "rules", rules } });
    }

    private static AmqpDescribed Describe(SubscriptionRule rule) => new(RuleDescriptionCode, new AmqpList
    {
        rule.Filter.Describe(),
        new AmqpDescribed(EmptyActionCode, new AmqpList()),
        rule.Name,
        AmqpTimestamp.From(rule.Created),
    });

    // As clients write the filters that take everything or nothing.
    private static ConstantFilter? ConstantOf(string expression) => string.Concat(expression.Where(static letter => !char.IsWhiteSpace(letter))) switch
    {
        "1=1" => ConstantFilter.True,
        "1=0" => ConstantFilter.False,
        _ => null,
    };

    private static Answer NotSupported(string what) => new(
        501,
        $"{what} not supported here; supported are the filters true (1=1) and false (1=0) and correlation filters, without actions.",
        ErrorCondition.NotImplemented);
}
