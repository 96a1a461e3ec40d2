using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>Accepts the messages for which an SQL condition is true. An unknown result does not accept.</summary>
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

    /// <summary>Creates the filter of an expression. 1=1 and 1=0, which clients send for everything or nothing, become constant filters.</summary>
    /// <exception cref="SqlSyntaxException">The expression is invalid.</exception>
    public static RuleFilter Of(string expression, AmqpMap parameters) =>
        expression switch
        {
            "1=1" => ConstantFilter.True,
            "1=0" => ConstantFilter.False,
            _ => new SqlFilter(expression, parameters),
        };

    /// <summary>Creates a filter from the description of <see cref="DescribeWhole"/>.</summary>
    /// <exception cref="InvalidDataException">The description has another form.</exception>
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

    // Clients support two fields. Only logs get the third.
    public override AmqpDescribed Describe() => new(SqlCode, new AmqpList { Expression, CompatibilityLevel });

    protected override AmqpDescribed DescribeWhole() => new(SqlCode, new AmqpList { Expression, CompatibilityLevel, Parameters });
}
