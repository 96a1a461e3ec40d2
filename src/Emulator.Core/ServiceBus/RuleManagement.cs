using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Emulator.Rules;

namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>Requests about the rules of a subscription.</summary>
internal sealed class RuleManagement(Subscription subscription)
{
    // One digit longer than the codes of the filters, which is how clients distinguish them.
    private const ulong RuleDescriptionCode = 0x137_0000_0004;
    private const ulong EmptyActionCode = 0x137_0000_0005;

    public const string NameField = "rule-name";
    public const string DescriptionField = "rule-description";

    private const string SqlFilterField = "sql-filter";
    private const string CorrelationFilterField = "correlation-filter";
    private const string ActionField = "sql-rule-action";
    private const string ExpressionField = "expression";
    private const string ParametersField = "parameters";

    public Answer Add(AmqpMap request)
    {
        if (request.FindString(NameField) is not { Length: > 0 and <= RuleLimits.LongestName } name)
        {
            return RequestFields.Invalid(NameField);
        }

        if (request.Find(DescriptionField) is not AmqpMap description)
        {
            return RequestFields.Invalid(DescriptionField);
        }

        if (description.Find(ActionField) is AmqpMap action && action.FindString(ExpressionField) is { Length: > 0 })
        {
            return new Answer(501, "The actions of rules are not supported here.", ErrorCondition.NotImplemented);
        }

        RuleFilter? filter;
        if (description.Find(CorrelationFilterField) is AmqpMap correlation)
        {
            // An ignored condition would accept more messages.
            if (RequestFields.GetUnknown(correlation, CorrelationFilter.Conditions) is { } unknown)
            {
                return RequestFields.Unknown(unknown);
            }

            filter = CorrelationFilter.Of(correlation);
            if (filter is null)
            {
                return new Answer(400, "A correlation filter names at least one property.", AmqpNames.ArgumentError);
            }
        }
        else if (description.Find(SqlFilterField) is AmqpMap sql && sql.FindString(ExpressionField) is { } expression)
        {
            try
            {
                filter = SqlFilter.Of(expression, sql.Find(ParametersField) as AmqpMap ?? []);
            }
            catch (SqlSyntaxException exception)
            {
                return new Answer(400, exception.Message, AmqpNames.ArgumentError);
            }
        }
        else
        {
            return RequestFields.Invalid(DescriptionField);
        }

        if (subscription.Rules.Count >= RuleLimits.MostRules)
        {
            return new Answer(403, $"A subscription has at most {RuleLimits.MostRules} rules.", ErrorCondition.ResourceLimitExceeded);
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

        return subscription.TryRemove(name)
            ? Answer.Ok()
            : new Answer(404, Refusals.EntityNotFoundText($"{subscription.Queue.Name}|{name}"), ErrorCondition.NotFound);
    }

    public Answer List(AmqpMap request)
    {
        var skip = (int)Math.Clamp(request.FindInteger("skip") ?? 0, 0, RuleLimits.MostRules);
        var top = (int)Math.Clamp(request.FindInteger("top") ?? RuleLimits.MostRules, 0, RuleLimits.MostRules);
        var rules = new AmqpList(subscription.Rules.Skip(skip).Take(top).Select(static rule => new AmqpMap { { DescriptionField, Describe(rule) } }));
        return rules.Count == 0 ? new Answer(204, "No rules.") : Answer.Ok(new AmqpMap { { "rules", rules } });
    }

    private static AmqpDescribed Describe(SubscriptionRule rule) =>
        new(
            RuleDescriptionCode,
            new AmqpList { rule.Filter.Describe(), new AmqpDescribed(EmptyActionCode, new AmqpList()), rule.Name, AmqpTimestamp.From(rule.Created) }
        );
}
