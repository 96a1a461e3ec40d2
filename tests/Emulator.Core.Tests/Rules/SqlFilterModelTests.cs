using System.Text.RegularExpressions;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Rules;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Rules;

/// <summary>Arbitrary conditions, written down, read and evaluated, against a naive model. And arbitrary texts.</summary>
public sealed class SqlFilterModelTests
{
    private const int Deep = 3;

    private static readonly string[] Names = ["a", "b", "c", "d", "missing"];
    private static readonly string[] Texts = ["", "x", "xy", "%", "x_", "it's"];
    private static readonly string[] Patterns = ["", "%", "_", "x%", "%y", "x!_", "%_%", "it''s"];

    // What texts are made of that are nearly conditions.
    private static readonly string[] Pieces =
    [
        "a",
        "b",
        "sys",
        "user",
        "To",
        ".",
        "(",
        ")",
        "(",
        ")",
        "=",
        "<>",
        "<",
        ">=",
        "+",
        "-",
        "*",
        "/",
        "%",
        ",",
        "1",
        "2.5",
        "1e5",
        "''",
        "'x'",
        "'",
        "\"",
        "[",
        "]",
        "[a]",
        "@p",
        " ",
        "\n",
        "AND",
        "OR",
        "NOT",
        "IS",
        "NULL",
        "IN",
        "LIKE",
        "ESCAPE",
        "EXISTS",
        "TRUE",
        "p",
        "newid",
        "ü",
        "\0",
        ";",
        "!",
        "9999999999999999999",
    ];

    private enum Known
    {
        No,
        Unknown,
        Yes,
    }

    [Fact]
    public void A_condition_is_evaluated_as_the_model_evaluates_it()
    {
        var cases = from condition in AnyCondition(Deep) from message in Properties select (condition, message);
        Prop.ForAll(
                cases.ToArbitrary(),
                static drawn =>
                {
                    var properties = new AmqpMap();
                    foreach (var (name, value) in drawn.message)
                    {
                        properties.Add(name, value);
                    }

                    var expected = drawn.condition.Says(name => drawn.message.GetValueOrDefault(name));
                    Assert.Equal(
                        expected == Known.Unknown ? null : expected == Known.Yes,
                        Filtered.Verdict(drawn.condition.Text, Filtered.Message(properties))
                    );
                }
            )
            .Check(PropertyCases.Times(2));
    }

    [Fact]
    public void Any_text_is_a_filter_or_refused()
    {
        var message = Filtered.Message(new AmqpMap { { "a", 1 }, { "b", "x" } });
        var loose = Gen.Elements(Pieces).ListOf().Select(static pieces => string.Join(pieces.Count % 2 == 0 ? " " : string.Empty, pieces));
        var nearly =
            from condition in AnyCondition(1)
            from piece in Gen.Elements(Pieces)
            from place in Gen.Choose(0, condition.Text.Length)
            select condition.Text.Insert(place, piece);
        var texts = Gen.OneOf(loose, nearly, AnyCondition(Deep).Select(static condition => condition.Text));
        var (taken, refused) = (0, 0);
        Prop.ForAll(
                texts.ToArbitrary(),
                text =>
                {
                    try
                    {
                        SqlFilter.Of(text, []).Takes(message);
                        taken++;
                    }
                    catch (SqlSyntaxException)
                    {
                        refused++;
                    }
                }
            )
            .Check(PropertyCases.Times(20));

        // A third of the texts are whole conditions, a third are conditions with a piece too many.
        Assert.True(taken > 0 && refused > 0, $"{taken} texts were conditions, {refused} were none");
    }

    // Whole numbers small enough that no model of overflow is needed.
    private static Gen<object?> Value =>
        Gen.OneOf(
            Gen.Choose(-3, 3).Select(static number => (object?)(long)number),
            Gen.Elements(Texts).Select(static text => (object?)text),
            Gen.Elements(true, false).Select(static flag => (object?)flag)
        );

    private static Gen<Dictionary<string, object?>> Properties =>
        from values in Gen.OneOf(Value, Gen.Constant<object?>(null)).ArrayOf(Names.Length - 1)
        select values
            .Select(static (value, i) => (Name: Names[i], value))
            .ToDictionary(static pair => pair.Name, static pair => pair.value, StringComparer.Ordinal);

    private static Gen<Operand> AnyOperand(int depth)
    {
        var simple = Gen.OneOf(
            Gen.Elements(Names).Select(static name => new Operand(name, find => find(name))),
            Value.Select(static value => new Operand(Literal(value), _ => value))
        );
        return depth == 0
            ? simple
            : Gen.OneOf(
                simple,
                from left in AnyOperand(depth - 1)
                from right in AnyOperand(depth - 1)
                from sign in Gen.Elements("+", "-", "*", "/", "%")
                select new Operand($"({left.Text} {sign} {right.Text})", find => Calculate(sign, left.Of(find), right.Of(find)))
            );
    }

    private static Gen<Sentence> AnyCondition(int depth)
    {
        var comparison =
            from left in AnyOperand(1)
            from right in AnyOperand(1)
            from sign in Gen.Elements("=", "<>", "!=", "<", "<=", ">", ">=")
            select new Sentence($"{left.Text}{sign}{right.Text}", find => Compare(sign, left.Of(find), right.Of(find)));
        var isNull =
            from name in Gen.Elements(Names)
            from not in Gen.Elements(string.Empty, "NOT ")
            select new Sentence($"{name} IS {not}NULL", find => GetKnown(find(name) is null == (not.Length == 0)));
        var isIn =
            from value in AnyOperand(1)
            from list in AnyOperand(1).NonEmptyListOf()
            from not in Gen.Elements(true, false)
            select new Sentence(
                $"{value.Text} {(not ? "NOT IN" : "in")} ({string.Join(',', list.Take(4).Select(static item => item.Text))})",
                find => Opposite(not, list.Take(4).Select(item => Compare("=", value.Of(find), item.Of(find))).Max())
            );
        var isLike =
            from value in AnyOperand(0)
            from pattern in Gen.Elements(Patterns)
            from not in Gen.Elements(true, false)
            select new Sentence(
                $"{value.Text} {(not ? "NOT " : string.Empty)}LIKE '{pattern}' ESCAPE '!'",
                find =>
                    Opposite(
                        not,
                        value.Of(find) is string text
                            ? GetKnown(Regex.IsMatch(text, Expression(pattern), RegexOptions.None, TimeSpan.FromSeconds(10)))
                            : Known.Unknown
                    )
            );
        var simple = Gen.OneOf(comparison, isNull, isIn, isLike);
        return depth == 0
            ? simple
            : Gen.OneOf(
                simple,
                AnyCondition(depth - 1).Select(static inner => new Sentence($"NOT({inner.Text})", find => Opposite(true, inner.Says(find)))),
                from left in AnyCondition(depth - 1)
                from right in AnyCondition(depth - 1)
                from both in Gen.Elements(true, false)
                select new Sentence(
                    $"({left.Text}) {(both ? "AND" : "or")} ({right.Text})",
                    find => both ? (Known)Math.Min((int)left.Says(find), (int)right.Says(find)) : (Known)Math.Max((int)left.Says(find), (int)right.Says(find))
                )
            );
    }

    private static string Literal(object? value) =>
        value switch
        {
            string text => $"'{text.Replace("'", "''", StringComparison.Ordinal)}'",
            bool flag => flag ? "TRUE" : "false",
            _ => $"{value}",
        };

    private static object? Calculate(string sign, object? left, object? right) =>
        (sign, left, right) switch
        {
            (_, null, _) or (_, _, null) => null,
            ("+", string, _) or ("+", _, string) => $"{left}{right}",
            ("/" or "%", long, 0L) => null,
            ("+", long first, long second) => first + second,
            ("-", long first, long second) => first - second,
            ("*", long first, long second) => first * second,
            ("/", long first, long second) => first / second,
            ("%", long first, long second) => first % second,
            _ => null,
        };

    private static Known Compare(string sign, object? left, object? right)
    {
        if (left is null || right is null || left.GetType() != right.GetType() || (left is bool && sign is not ("=" or "<>" or "!=")))
        {
            return Known.Unknown;
        }

        var order = left is string first ? string.CompareOrdinal(first, (string)right) : ((IComparable)left).CompareTo(right);
        return GetKnown(
            sign switch
            {
                "=" => order == 0,
                "<" => order < 0,
                "<=" => order <= 0,
                ">" => order > 0,
                ">=" => order >= 0,
                _ => order != 0,
            }
        );
    }

    private static string Expression(string pattern) =>
        $"\\A{Regex.Replace(pattern.Replace("''", "'", StringComparison.Ordinal), "!.|.", static piece => piece.Value switch { "%" => ".*", "_" => ".", _ => Regex.Escape(piece.Value.TrimStart('!')) }, RegexOptions.None, TimeSpan.FromSeconds(10))}\\z";

    private static Known GetKnown(bool holds) => holds ? Known.Yes : Known.No;

    private static Known Opposite(bool isAsked, Known known) => isAsked ? Known.Yes - (int)known : known;

    private sealed record Operand(string Text, Func<Func<string, object?>, object?> Of);

    private sealed record Sentence(string Text, Func<Func<string, object?>, Known> Says);
}
