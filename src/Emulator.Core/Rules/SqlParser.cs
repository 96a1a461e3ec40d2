using System.Globalization;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>
/// Parses the condition of an SQL filter, in the documented grammar of the service. Precedence from the lowest: OR, AND, NOT, comparisons, + and -, the other
/// arithmetic signs, the sign of a number.
/// </summary>
internal sealed class SqlParser
{
    public const int LongestText = 1_024;

    private const int Deepest = 100;

    // Each identifier is a call of the operating system.
    private const int StepsOfNewId = 500;

    private static readonly string[] Keywords = ["AND", "ESCAPE", "EXISTS", "FALSE", "IN", "IS", "LIKE", "NOT", "NULL", "OR", "TRUE"];

    private readonly AmqpMap _parameters;
    private readonly SqlCursor _at;
    private int _depth;

    private SqlParser(string text, AmqpMap parameters)
    {
        _parameters = parameters;
        _at = new SqlCursor(text);
    }

    /// <exception cref="SqlSyntaxException">The text is not a condition.</exception>
    public static SqlCondition Condition(string text, AmqpMap parameters)
    {
        if (text.Length > LongestText)
        {
            throw new SqlSyntaxException(
                new SqlToken(SqlTokenKind.End, string.Empty, string.Empty, 1, LongestText + 1),
                $"an expression has at most {LongestText} characters, not {text.Length}"
            );
        }

        var parser = new SqlParser(text, parameters);
        var condition = GetCondition(parser.Or());
        return parser._at.Token.Kind == SqlTokenKind.End ? condition : throw parser._at.Token.Expected("an operator or the end");
    }

    private SqlTerm Or()
    {
        var left = And();
        while (_at.TryTakeWord("OR"))
        {
            left = new SqlTerm(left.Start) { Condition = SqlLogic.Or(GetCondition(left), GetCondition(And())) };
        }

        return left;
    }

    private SqlTerm And()
    {
        var left = Not();
        while (_at.TryTakeWord("AND"))
        {
            left = new SqlTerm(left.Start) { Condition = SqlLogic.And(GetCondition(left), GetCondition(Not())) };
        }

        return left;
    }

    private SqlTerm Not()
    {
        var start = _at.Token;
        return _at.TryTakeWord("NOT") ? new SqlTerm(start) { Condition = SqlLogic.Not(GetCondition(Deeper(Not))) } : Comparison();
    }

    private SqlTerm Comparison()
    {
        var left = Sum();
        if (_at.Token.Kind == SqlTokenKind.Sign && SqlComparison.Of(_at.Token.Written) is { } compare)
        {
            var first = GetValue(left);
            _at.Take();
            var second = GetValue(Sum());
            return new SqlTerm(left.Start) { Condition = message => Compared(compare, first(message), second(message), message.Budget) };
        }

        if (_at.TryTakeWord("IS"))
        {
            var isNot = _at.TryTakeWord("NOT");
            _at.TakeWord("NULL");
            var property = GetProperty(left);
            return new SqlTerm(left.Start) { Condition = message => (property(message, out var value) && value is not null) == isNot };
        }

        var negated = _at.TryTakeWord("NOT");
        var condition =
            _at.TryTakeWord("IN") ? In(left)
            : _at.TryTakeWord("LIKE") ? Like(left)
            : negated ? throw _at.Token.Expected("IN or LIKE")
            : null;
        return condition is null ? left : new SqlTerm(left.Start) { Condition = negated ? SqlLogic.Not(condition) : condition };
    }

    private SqlCondition In(SqlTerm left)
    {
        var value = GetValue(left);
        _at.TakeSign("(");
        List<SqlValue> list = [];
        do
        {
            list.Add(GetValue(Sum()));
        } while (_at.TryTakeSign(","));
        _at.TakeSign(")");
        return SqlLogic.IsIn(value, list);
    }

    private SqlCondition Like(SqlTerm left)
    {
        var value = GetValue(left);
        var pattern = GetText(Sum(), "a text as pattern");
        var escape = _at.TryTakeWord("ESCAPE") ? GetEscape(Sum()) : SqlTerm.OfConstant(pattern.Start, string.Empty);
        if (pattern.Constant is null || escape.Constant is null)
        {
            var (wanted, mark) = (GetValue(pattern), GetValue(escape));
            return message => value(message) is string text ? GetPattern(wanted(message), mark(message), message.Budget)?.Matches(text, message.Budget) : null;
        }

        var known = SqlPattern.Of(pattern.Constant, escape.Constant) ?? throw pattern.Start.Expected("a pattern that does not end with the escape character");
        return message => value(message) is string text ? known.Matches(text, message.Budget) : null;
    }

    private static bool? Compared(Func<object?, object?, bool?> compare, object? left, object? right, RuleBudget budget)
    {
        budget.SpendOnComparing(left, right);
        return compare(left, right);
    }

    // A pattern that depends on the message is created for each message.
    private static SqlPattern? GetPattern(object? pattern, object? escape, RuleBudget budget)
    {
        budget.Spend(SqlPattern.Longest);
        return SqlPattern.Of(pattern, escape);
    }

    private SqlTerm Sum()
    {
        var left = Product();
        while (_at.Token.Is("+") || _at.Token.Is("-"))
        {
            left = Calculation(left, Product);
        }

        return left;
    }

    private SqlTerm Product()
    {
        var left = Signed();
        while (_at.Token.Is("*") || _at.Token.Is("/") || _at.Token.Is("%"))
        {
            left = Calculation(left, Signed);
        }

        return left;
    }

    private SqlTerm Calculation(SqlTerm left, Func<SqlTerm> operand)
    {
        var first = GetValue(left);
        var sign = _at.Take().Written;
        var second = GetValue(operand());
        return new SqlTerm(left.Start) { Value = message => message.Budget.SpentOn(SqlArithmetic.Calculate(sign, first(message), second(message))) };
    }

    private SqlTerm Signed()
    {
        var start = _at.Token;
        if (!start.Is("-") && !start.Is("+"))
        {
            return Operand();
        }

        _at.Take();
        var value = GetValue(Deeper(Signed));
        return new SqlTerm(start)
        {
            Value = start.Is("-")
                ? message => SqlArithmetic.Negate(value(message))
                : message => value(message) is var number and (long or decimal or double) ? number : null,
        };
    }

    private SqlTerm Operand()
    {
        var token = _at.Take();
        switch (token.Kind)
        {
            case SqlTokenKind.Text:
                return SqlTerm.OfConstant(token, token.Content);
            case SqlTokenKind.Integer:
                return long.TryParse(token.Written, NumberStyles.None, CultureInfo.InvariantCulture, out var integer)
                    ? SqlTerm.OfConstant(token, integer)
                    : throw new SqlSyntaxException(token, "beyond the largest integer, 9223372036854775807");
            case SqlTokenKind.Decimal:
                return SqlTerm.OfConstant(token, double.Parse(token.Written, NumberStyles.Float, CultureInfo.InvariantCulture));
            case SqlTokenKind.Parameter:
                return _parameters.TryGetValue(token.Written, out var value)
                    ? SqlTerm.OfConstant(token, SqlValues.Of(value))
                    : throw new SqlSyntaxException(token, "the filter has no such parameter");
            case SqlTokenKind.Sign when token.Is("("):
                var inner = Deeper(Or);
                _at.TakeSign(")");
                return inner with { Start = token };
            case SqlTokenKind.Name:
                return UserProperty(token);
            case SqlTokenKind.Word:
                return Word(token);
            default:
                throw token.Expected("a value or a condition");
        }
    }

    private SqlTerm Word(SqlToken token)
    {
        if (token.IsWord("TRUE") || token.IsWord("FALSE") || token.IsWord("NULL"))
        {
            return SqlTerm.OfConstant(token, token.IsWord("NULL") ? null : (object)token.IsWord("TRUE"));
        }

        if (token.IsWord("EXISTS"))
        {
            _at.TakeSign("(");
            var property = GetProperty(Sum());
            _at.TakeSign(")");
            return new SqlTerm(token) { Condition = message => property(message, out _) };
        }

        if (IsKeyword(token))
        {
            throw token.Expected("a value or a condition");
        }

        return _at.Token.Is("(") ? Function(token)
            : _at.Token.Is(".") ? Scoped(token)
            : UserProperty(token);
    }

    private SqlTerm Function(SqlToken name)
    {
        _at.TakeSign("(");
        var function = name.Written.ToUpperInvariant() switch
        {
            "NEWID" => new SqlTerm(name) { Value = static message => NewId(message.Budget) },
            "P" or "PROPERTY" => NamedProperty(name),
            _ => throw name.Expected("newid(), property(name) or p(name)"),
        };
        _at.TakeSign(")");
        return function;
    }

    private static Guid NewId(RuleBudget budget)
    {
        budget.Spend(StepsOfNewId);
        return Guid.NewGuid();
    }

    private SqlTerm NamedProperty(SqlToken token)
    {
        var name = GetValue(GetText(Sum(), "the name of a property as text"));
        return SqlTerm.OfProperty(
            token,
            (FilteredMessage message, out object? value) =>
            {
                value = null;
                return name(message) is string text && message.TryFind(text, out value);
            }
        );
    }

    private SqlTerm Scoped(SqlToken scope)
    {
        _at.TakeSign(".");
        var name = _at.Take();
        if (name.Kind != SqlTokenKind.Name && (name.Kind != SqlTokenKind.Word || IsKeyword(name)))
        {
            throw name.Expected("the name of a property");
        }

        if (scope.IsWord("user"))
        {
            return UserProperty(name) with { Start = scope };
        }

        return !scope.IsWord("sys") ? throw scope.Expected("the scope sys or user")
            : SystemProperties.Find(name.Content) is { } property ? SqlTerm.OfProperty(scope, property)
            : throw new SqlSyntaxException(name, $"no such system property, there are {SystemProperties.Names}");
    }

    private static SqlTerm UserProperty(SqlToken name) =>
        SqlTerm.OfProperty(name, (FilteredMessage message, out object? value) => message.TryFind(name.Content, out value));

    private static bool IsKeyword(SqlToken token) => Array.Exists(Keywords, token.IsWord);

    private static SqlValue GetValue(SqlTerm term) => term.Value ?? throw term.Start.Expected("a value, not a condition");

    private static SqlCondition GetCondition(SqlTerm term) => term.Condition ?? throw term.Start.Expected("a condition, not a value");

    private static SqlProperty GetProperty(SqlTerm term) => term.Property ?? throw term.Start.Expected("a property");

    // A value that depends on the message is checked at that time.
    private static SqlTerm GetText(SqlTerm term, string what) => term is { Value: not null, Constant: null or string } ? term : throw term.Start.Expected(what);

    private static SqlTerm GetEscape(SqlTerm term) =>
        term is { Value: not null, Constant: null or string { Length: 1 } } ? term : throw term.Start.Expected("a text of one character");

    private SqlTerm Deeper(Func<SqlTerm> part)
    {
        if (++_depth > Deepest)
        {
            throw new SqlSyntaxException(_at.Token, $"nested more than {Deepest} times");
        }

        var term = part();
        _depth--;
        return term;
    }
}
