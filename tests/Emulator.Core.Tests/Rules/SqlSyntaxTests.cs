using EventHubThroughput.Emulator.Rules;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Rules;

/// <summary>Malformed SQL conditions: the message and its position.</summary>
public sealed class SqlSyntaxTests
{
    [Theory]
    [InlineData("", 1, 1, "", "expected a value or a condition")]
    [InlineData("size", 1, 1, "size", "expected a condition, not a value")]
    [InlineData("TRUE", 1, 1, "TRUE", "expected a condition, not a value")]
    [InlineData("size =", 1, 7, "", "expected a value or a condition")]
    [InlineData("size == 5", 1, 7, "=", "expected a value or a condition")]
    [InlineData("size = 5 colour = 'red'", 1, 10, "colour", "expected an operator or the end")]
    [InlineData("a = b = c", 1, 7, "=", "expected an operator or the end")]
    [InlineData("(a = b) = TRUE", 1, 1, "(", "expected a value, not a condition")]
    [InlineData("(a = b) + 1 = 2", 1, 1, "(", "expected a value, not a condition")]
    [InlineData("a = 1 AND\n  b", 2, 3, "b", "expected a condition, not a value")]
    [InlineData("a = 'x\ny' AND b", 2, 8, "b", "expected a condition, not a value")]
    [InlineData("NOT a", 1, 5, "a", "expected a condition, not a value")]
    [InlineData("- (a = 1) = 2", 1, 3, "(", "expected a value, not a condition")]
    [InlineData("a NOT = 1", 1, 7, "=", "expected IN or LIKE")]
    [InlineData("a IS 1", 1, 6, "1", "expected NULL")]
    [InlineData("5 IS NULL", 1, 1, "5", "expected a property")]
    [InlineData("EXISTS('a')", 1, 8, "'a'", "expected a property")]
    [InlineData("EXISTS a", 1, 8, "a", "expected '('")]
    [InlineData("(a = 1", 1, 7, "", "expected ')'")]
    [InlineData("a IN 1", 1, 6, "1", "expected '('")]
    [InlineData("a IN ()", 1, 7, ")", "expected a value or a condition")]
    [InlineData("a IN (1, b = 2)", 1, 12, "=", "expected ')'")]
    [InlineData("a LIKE 5", 1, 8, "5", "expected a text as pattern")]
    [InlineData("a LIKE (b = 1)", 1, 8, "(", "expected a text as pattern")]
    [InlineData("a LIKE 'b' ESCAPE '!!'", 1, 19, "'!!'", "expected a text of one character")]
    [InlineData("a LIKE 'b' ESCAPE ''", 1, 19, "''", "expected a text of one character")]
    [InlineData("a LIKE 'b!' ESCAPE '!'", 1, 8, "'b!'", "expected a pattern that does not end with the escape character")]
    [InlineData("p(5) = 1", 1, 3, "5", "expected the name of a property as text")]
    [InlineData("upper(a) = 'A'", 1, 1, "upper", "expected newid(), property(name) or p(name)")]
    [InlineData("other.a = 1", 1, 1, "other", "expected the scope sys or user")]
    [InlineData("user.AND = 1", 1, 6, "AND", "expected the name of a property")]
    [InlineData("user.'a' = 1", 1, 6, "'a'", "expected the name of a property")]
    [InlineData("LIKE = 1", 1, 1, "LIKE", "expected a value or a condition")]
    [InlineData("@p = 1", 1, 1, "@p", "the filter has no such parameter")]
    [InlineData("a = 9223372036854775808", 1, 5, "9223372036854775808", "beyond the largest integer, 9223372036854775807")]
    [InlineData("a = 0x10", 1, 5, "0x10", "neither a number nor a name")]
    [InlineData("_a = 1", 1, 1, "_", "unexpected character")]
    [InlineData("a = \"b", 1, 5, "\"b", "its closing \" is missing")]
    [InlineData("a = '\nb", 1, 5, "'\nb", "its closing ' is missing")]
    [InlineData("a = [b", 1, 5, "[b", "its closing ] is missing")]
    [InlineData("a = 1;", 1, 6, ";", "unexpected character")]
    [InlineData("\U0001F600 = 1", 1, 1, "\U0001F600", "unexpected character")]
    [InlineData("a = 1 \0", 1, 7, "\0", "unexpected character")]
    public void Is_refused_with_the_place_and_what_is_expected_there(string text, int line, int column, string token, string details) =>
        Assert.Equal(
            $"There was an error parsing the SQL expression. [Token line={line}, column={column}, Token in error={token}, Additional details={details}]",
            Refusal(text)
        );

    [Fact]
    public void An_unknown_system_property_is_refused_with_a_list_of_the_known_ones() =>
        Assert.EndsWith(
            "Token in error=Body, Additional details=no such system property, there are ContentType, CorrelationId, Label, MessageId, PartitionKey, ReplyTo, ReplyToSessionId, ScheduledEnqueueTimeUtc, SessionId, Subject, TimeToLive, To]",
            Refusal("sys.Body = 1"),
            StringComparison.Ordinal
        );

    [Fact]
    public void As_many_characters_as_the_service_takes_are_taken_and_one_more_is_not()
    {
        const string condition = "a = 'a'";
        Assert.NotNull(SqlFilter.Of(condition.PadRight(1_024), []));
        Assert.Contains("an expression has at most 1024 characters, not 1025", Refusal(condition.PadRight(1_025)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("(", ")")]
    [InlineData("NOT ", "")]
    public void Nesting_has_a_limit(string before, string after)
    {
        Assert.NotNull(SqlFilter.Of(Nested(100), []));
        Assert.Contains("nested more than 100 times", Refusal(Nested(101)), StringComparison.Ordinal);

        string Nested(int times) => string.Concat(Enumerable.Repeat(before, times)) + "a=1" + string.Concat(Enumerable.Repeat(after, times));
    }

    private static string Refusal(string text) => Assert.Throws<SqlSyntaxException>(() => SqlFilter.Of(text, [])).Message;
}
