using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Emulator.Entities;

/// <summary>Reads the first rules of a subscription in the form of the settings file. Problems are added to its document.</summary>
internal static class RuleReader
{
    // A double represents whole numbers up to this limit exactly.
    private const double LargestWhole = 1L << 53;

    /// <summary>Null when none are given. The subscription then begins with the rule that accepts everything.</summary>
    public static IReadOnlyList<FirstRule>? Read(SettingGroup subscription)
    {
        if (subscription.Find("rules") is null)
        {
            return null;
        }

        var names = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        List<FirstRule> rules = [];
        foreach (var group in subscription.Groups("rules"))
        {
            var name = Name(group, names);
            if (Filter(group) is { } filter && name is not null)
            {
                rules.Add(new FirstRule(name, filter));
            }
        }

        return rules;
    }

    private static string? Name(SettingGroup group, HashSet<string> taken)
    {
        if (group.Require("name") is not { } value || value.Text() is not { } name)
        {
            return null;
        }

        if (name.Length > RuleLimits.LongestName)
        {
            value.Refuse($"longer than {RuleLimits.LongestName} characters");
        }
        else if (!taken.Add(name))
        {
            value.Refuse("named twice");
        }
        else if (taken.Count > RuleLimits.MostRules)
        {
            value.Refuse($"more than {RuleLimits.MostRules} rules");
        }

        return name;
    }

    private static RuleFilter? Filter(SettingGroup group)
    {
        var (sql, parameters, correlation) = (group.Find("sql"), group.Find("parameters"), group.Find("correlation"));
        if (sql is null == correlation is null)
        {
            group.Refuse("needs either 'sql' or 'correlation'");
            return null;
        }

        return sql is null ? Correlation(correlation!) : Sql(sql, Values(parameters));
    }

    private static RuleFilter? Sql(SettingValue value, AmqpMap parameters)
    {
        if (value.Text() is not { } expression)
        {
            return null;
        }

        try
        {
            return SqlFilter.Of(expression, parameters);
        }
        catch (SqlSyntaxException exception)
        {
            value.Refuse(exception.Message);
            return null;
        }
    }

    private static CorrelationFilter? Correlation(SettingValue value)
    {
        if (value.Group() is not { } group)
        {
            return null;
        }

        var conditions = new AmqpMap();
        foreach (var (name, field) in RuleWriter.Correlations)
        {
            conditions.Add(field, group.Find(name)?.Text());
        }

        conditions.Add("properties", Values(group.Find("properties")));
        var filter = CorrelationFilter.Of(conditions);
        if (filter is null)
        {
            value.Refuse("names no property");
        }

        return filter;
    }

    private static AmqpMap Values(SettingValue? value)
    {
        var values = new AmqpMap();
        if (value?.Group() is { } group)
        {
            foreach (var name in group.Names)
            {
                values.Add(name, Of(group.Find(name)!));
            }
        }

        return values;
    }

    private static object? Of(SettingValue value) =>
        value.Kind switch
        {
            SettingKind.Flag => value.Flag(),
            SettingKind.Number => GetNumber(value),
            _ => value.Text(),
        };

    // A whole number counts as one in every notation. The two kinds are boxed separately, because one expression would convert both to a double.
    private static object? GetNumber(SettingValue value)
    {
        if (value.Whole is { } whole)
        {
            return whole;
        }

        if (value.Number(double.MinValue, double.MaxValue) is not { } number)
        {
            return null;
        }

        return number == Math.Floor(number) && Math.Abs(number) <= LargestWhole ? (object)(long)number : number;
    }
}
