using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>Takes the messages for which an SQL condition is true. One that is unknown for a message does not take it.</summary>
internal sealed class SqlFilter : RuleFilter
{
    private const int CompatibilityLevel = 20;

    private readonly SqlCondition _condition;

    private SqlFilter(string expression, AmqpMap parameters)
    {
        Expression = expression;
        Parameters = parameters;
        _condition = SqlParser.Condition(expression, parameters);
    }

    /// <summary>As the client wrote it.</summary>
    public string Expression { get; }

    /// <summary>Values of the names that begin with <c>@</c>.</summary>
    public AmqpMap Parameters { get; }

    /// <summary>The filter of an expression. Those that take everything or nothing are written as clients write them, 1=1 and 1=0.</summary>
    /// <exception cref="SqlSyntaxException">It is none.</exception>
    public static RuleFilter Of(string expression, AmqpMap parameters) =>
        expression switch
        {
            "1=1" => ConstantFilter.True,
            "1=0" => ConstantFilter.False,
            _ => new SqlFilter(expression, parameters),
        };

    /// <summary>As <see cref="DescribeWhole"/> described it.</summary>
    /// <exception cref="InvalidDataException">It did not.</exception>
    public static RuleFilter Of(AmqpList description)
    {
        try
        {
            return description is [string expression, _, AmqpMap parameters]
                ? Of(expression, parameters)
                : throw new InvalidDataException("an SQL filter of another form");
        }
        catch (SqlSyntaxException exception)
        {
            throw new InvalidDataException(exception.Message, exception);
        }
    }

    public override bool Takes(FilteredMessage message) => _condition(message) == true;

    // Clients know two fields. The third is given to logs only.
    public override AmqpDescribed Describe() => new(SqlCode, new AmqpList { Expression, CompatibilityLevel });

    protected override AmqpDescribed DescribeWhole() => new(SqlCode, new AmqpList { Expression, CompatibilityLevel, Parameters });
}
