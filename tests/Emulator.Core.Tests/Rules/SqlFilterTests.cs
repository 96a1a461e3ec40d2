using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Rules;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Rules;

/// <summary>What SQL conditions say of a message, as the service documents it.</summary>
public sealed class SqlFilterTests
{
    private static readonly Guid Id = new("6f9619ff-8b86-d011-b42d-00c04fc964ff");

    private static readonly FilteredMessage Message = Filtered.Message(
        new AmqpMessage
        {
            ApplicationProperties = new AmqpMap
            {
                { "colour", "red" },
                { "Colour", "RED" },
                { "size", 5 },
                { "weight", 2.5 },
                { "price", new AmqpDecimal(Convert.FromHexString("303E0000000000000000000000000019")) },
                { "bytes", 200UL },
                { "huge", ulong.MaxValue },
                { "largest", long.MaxValue },
                { "ratio", 0.5F },
                { "nan", double.NaN },
                { "yes", true },
                { "nothing", null },
                { "With Space]", "x" },
                { "say \"so\"", "y" },
                { "percent", "50% off" },
                { "long", "first\nsecond" },
                { "id", Id },
                { "p", "a property" },
                { "letter", new AmqpSymbol("s") },
                { "char", new AmqpChar(0x1F600) },
                { "sent", new AmqpTimestamp(1_700_000_000_000) },
                { "done", new AmqpTimestamp(1_700_000_090_000) },
                { "raw", new ReadOnlyMemory<byte>([1]) },
                { "span", new AmqpDescribed(new AmqpSymbol("com.microsoft:timespan"), TimeSpan.FromSeconds(90).Ticks) },
                { "address", new AmqpDescribed(new AmqpSymbol("com.microsoft:uri"), "http://a/") },
                {
                    "then",
                    new AmqpDescribed(new AmqpSymbol("com.microsoft:datetime-offset"), DateTimeOffset.FromUnixTimeMilliseconds(1_700_000_000_000).Ticks)
                },
            },
            Header = new MessageHeader { Ttl = 60_000 },
            MessageAnnotations = new AmqpMap
            {
                { new AmqpSymbol(AmqpNames.PartitionKey), "pk" },
                { new AmqpSymbol(AmqpNames.ScheduledEnqueueTime), new AmqpTimestamp(1_700_000_000_000) },
            },
            Properties = new MessageProperties
            {
                MessageId = "m",
                CorrelationId = 7UL,
                To = "t",
                Subject = "alarm",
                ReplyTo = "r",
                ContentType = "text/plain",
                GroupId = "s",
                ReplyToGroupId = "rs",
            },
        }
    );

    private static readonly AmqpMap Parameters = new()
    {
        { "@five", 5 },
        { "@red", "red" },
        { "@yes", true },
        { "@time", new AmqpTimestamp(1_700_000_000_000) },
        { "@span", new AmqpDescribed(new AmqpSymbol("com.microsoft:timespan"), TimeSpan.FromSeconds(90).Ticks) },
    };

    [Theory]
    [InlineData("colour = 'red'", true)]
    [InlineData("colour = 'Red'", false)]
    [InlineData("COLOUR = 'red'", true)]
    [InlineData("Colour = 'RED'", true)]
    [InlineData("user.colour = 'red'", true)]
    [InlineData("USER . colour <> 'red'", false)]
    [InlineData("[With Space]]] = 'x'", true)]
    [InlineData("\"say \"\"so\"\"\" = 'y'", true)]
    [InlineData("colour = 'r''ed'", false)]
    [InlineData("'r''ed' = 'r''ed'", true)]
    [InlineData("p = 'a property'", true)]
    [InlineData("p('size') = 5", true)]
    [InlineData("Property('si' + 'ze') = 5", true)]
    [InlineData("p(colour) = 5", null)]
    [InlineData("letter = 's'", true)]
    [InlineData("char = '\U0001F600'", true)]
    [InlineData("address = 'http://a/'", true)]
    [InlineData("newid() = newid()", false)]
    [InlineData("id = id", true)]
    [InlineData("id < id", null)]
    public void Names_and_texts(string condition, bool? expected) => Expect(expected, condition);

    [Theory]
    [InlineData("size = 5", true)]
    [InlineData("size != 5", false)]
    [InlineData("size = 5.0", true)]
    [InlineData("size < 5.5", true)]
    [InlineData("5 >= size", true)]
    [InlineData("weight > 2 and weight < 3", true)]
    [InlineData("weight = 0.25E1", true)]
    [InlineData("weight = 25e-1", true)]
    [InlineData("price = weight", true)]
    [InlineData("price > 2", true)]
    [InlineData("price * 2 = size", true)]
    [InlineData("bytes = 200", true)]
    [InlineData("huge > largest", true)]
    [InlineData("ratio = .5", true)]
    [InlineData("ratio = 1. / 2", true)]
    [InlineData("nan = nan", null)]
    [InlineData("nan < 1", null)]
    [InlineData("size + 1 = 6", true)]
    [InlineData("size - 1 - 1 = 3", true)]
    [InlineData("1 + 2 * size = 11", true)]
    [InlineData("(1 + 2) * size = 15", true)]
    [InlineData("size / 2 = 2", true)]
    [InlineData("size / 2.0 = 2.5", true)]
    [InlineData("-size / 2 = -2", true)]
    [InlineData("size % 3 = 2", true)]
    [InlineData("weight % 2 = .5", true)]
    [InlineData("- -size = + 5", true)]
    [InlineData("-largest < 0", true)]
    [InlineData("-weight = -2.5 AND -price = -2.5", true)]
    [InlineData("colour + size = 'red5'", true)]
    [InlineData("yes + '' = 'True'", true)]
    [InlineData("largest + 1 > 0", null)]
    [InlineData("-(-largest - 1) > 0", null)]
    [InlineData("size / 0 = 1", null)]
    [InlineData("size % (5 - size) = 1", null)]
    [InlineData("weight / 0 > largest", true)]
    [InlineData("huge * huge * huge * huge > 0", null)]
    [InlineData("colour - 'd' = 're'", null)]
    [InlineData("-colour = 'red'", null)]
    [InlineData("+colour = 'red'", null)]
    [InlineData("yes + 1 = 2", null)]
    public void Numbers(string condition, bool? expected) => Expect(expected, condition);

    [Theory]
    [InlineData("colour > 'rec' AND colour < 'ree'", true)]
    [InlineData("colour = 5", null)]
    [InlineData("size < 'a'", null)]
    [InlineData("yes = TRUE", true)]
    [InlineData("yes <> false", true)]
    [InlineData("yes > false", null)]
    [InlineData("yes = 'true'", null)]
    [InlineData("sent < done", true)]
    [InlineData("sent = then", true)]
    [InlineData("done - sent = span", true)]
    [InlineData("sent + span >= done AND done - span <= sent", true)]
    [InlineData("span + span > span AND span - span < span", true)]
    [InlineData("sent * 2 = done", null)]
    [InlineData("sent < 5", null)]
    [InlineData("raw = raw", null)]
    public void Types_and_times(string condition, bool? expected) => Expect(expected, condition);

    [Theory]
    [InlineData("missing = 1", null)]
    [InlineData("1 <> missing", null)]
    [InlineData("missing + 1 = 1", null)]
    [InlineData("-missing = 1", null)]
    [InlineData("nothing = NULL", null)]
    [InlineData("missing = 1 AND size = 4", false)]
    [InlineData("missing = 1 AND size = 5", null)]
    [InlineData("size = 5 AND missing = 1", null)]
    [InlineData("missing = 1 OR size = 5", true)]
    [InlineData("missing = 1 OR size = 4", null)]
    [InlineData("size = 4 OR missing = 1", null)]
    [InlineData("missing IS NULL", true)]
    [InlineData("nothing IS NULL", true)]
    [InlineData("size IS NULL", false)]
    [InlineData("raw IS NOT NULL", true)]
    [InlineData("missing IS NOT NULL", false)]
    [InlineData("(user.size) is not null", true)]
    [InlineData("p('missing') IS NULL", true)]
    [InlineData("EXISTS(nothing)", true)]
    [InlineData("exists ( missing )", false)]
    [InlineData("EXISTS(sys.To)", true)]
    [InlineData("NOT EXISTS([size])", false)]
    public void The_unknown(string condition, bool? expected) => Expect(expected, condition);

    [Theory]
    [InlineData("size IN (1, 5)", true)]
    [InlineData("size NOT IN (1, 5)", false)]
    [InlineData("size + 1 in (2 * 3)", true)]
    [InlineData("colour IN ('blue', 7)", null)]
    [InlineData("colour IN ('blue', missing)", null)]
    [InlineData("colour IN (missing, 'red')", true)]
    [InlineData("missing IN ('red')", null)]
    [InlineData("missing NOT IN ('red')", null)]
    [InlineData("colour LIKE 'r%'", true)]
    [InlineData("colour LIKE 'R%'", false)]
    [InlineData("colour LIKE '%e%'", true)]
    [InlineData("colour LIKE '_e_'", true)]
    [InlineData("colour LIKE '_e'", false)]
    [InlineData("colour LIKE '%'", true)]
    [InlineData("colour LIKE ''", false)]
    [InlineData("'' LIKE '%%'", true)]
    [InlineData("colour NOT LIKE '%d'", false)]
    [InlineData("long LIKE 'first%second'", true)]
    [InlineData("colour LIKE '[a-z]ed'", false)]
    [InlineData("percent LIKE '50!% %' ESCAPE '!'", true)]
    [InlineData("colour LIKE 're!%' ESCAPE '!'", false)]
    [InlineData("colour LIKE '!r!e!d' ESCAPE '!'", true)]
    [InlineData("colour LIKE colour", true)]
    [InlineData("colour LIKE 'r' + '%'", true)]
    [InlineData("colour LIKE missing", null)]
    [InlineData("colour LIKE 'red' ESCAPE missing", null)]
    [InlineData("colour LIKE 'red' ESCAPE colour", null)]
    [InlineData("size LIKE '5'", null)]
    [InlineData("missing NOT LIKE '%'", null)]
    public void Lists_and_patterns(string condition, bool? expected) => Expect(expected, condition);

    [Theory]
    [InlineData("NOT size = 4", true)]
    [InlineData("not not size = 5", true)]
    [InlineData("size = 5 OR size = 5 AND size = 4", true)]
    [InlineData("(size = 5 OR size = 5) AND size = 4", false)]
    [InlineData("NOT size = 4 AND size = 4", false)]
    [InlineData("NOT (size = 4 AND size = 4)", true)]
    [InlineData("\n\tsize\r\n=5", true)]
    [InlineData("((size))=(5)", true)]
    [InlineData("size=5 and(colour='red')", true)]
    public void Operators_bind_by_their_precedence(string condition, bool expected) => Expect(expected, condition);

    [Theory]
    [InlineData("sys.Label = 'alarm' AND sys.subject = 'alarm'")]
    [InlineData("sys.MessageId = 'm' AND SYS.correlationid = '7'")]
    [InlineData("sys.To = 't' AND sys.ReplyTo = 'r' AND sys.[ContentType] LIKE 'text/%'")]
    [InlineData("sys.SessionId = 's' AND sys.ReplyToSessionId = 'rs' AND sys.PartitionKey = 'pk'")]
    [InlineData("sys.TimeToLive < @span AND sys.ScheduledEnqueueTimeUtc = @time")]
    public void System_properties(string condition) => Expect(true, condition);

    [Theory]
    [InlineData("size = @five AND colour = @red AND yes = @yes AND sent = @time", true)]
    [InlineData("done - sent <= @span", true)]
    [InlineData("size IN (@five)", true)]
    [InlineData("colour LIKE @red", true)]
    public void Parameters_are_replaced_by_their_values(string condition, bool expected) => Expect(expected, condition);

    [Fact]
    public void Constant_conditions_become_constant_filters()
    {
        Assert.Same(ConstantFilter.True, SqlFilter.Of("1=1", []));
        Assert.Same(ConstantFilter.False, SqlFilter.Of("1=0", []));
        Assert.Equal("2=2", Assert.IsType<SqlFilter>(SqlFilter.Of("2=2", [])).Expression);
    }

    [Fact]
    public void A_pattern_of_many_wildcards_meets_a_long_text_without_trying_every_way()
    {
        var text = new string('a', 60_000);
        var pattern = string.Concat(Enumerable.Repeat("%a", 200)) + "b";
        Assert.False(Filtered.Verdict($"text LIKE '{pattern}'", Filtered.Message(new AmqpMap { { "text", text } })));
    }

    [Fact]
    public void A_pattern_that_comes_with_a_message_is_unknown_when_it_is_too_long_or_ends_with_the_escape()
    {
        var message = Filtered.Message(new AmqpMap { { "long", new string('%', 1_025) }, { "escaped", "r!" } });
        Assert.Null(Filtered.Verdict("'red' LIKE long", message));
        Assert.Null(Filtered.Verdict("'r' LIKE escaped ESCAPE '!'", message));
    }

    [Fact]
    public void A_text_that_would_become_too_long_is_unknown()
    {
        var message = Filtered.Message(new AmqpMap { { "half", new string('a', SqlArithmetic.LongestText / 2) } });
        Assert.True(Filtered.Verdict("half + half LIKE 'a%'", message));
        Assert.Null(Filtered.Verdict("half + half + 'b' LIKE 'a%'", message));
        Assert.Null(Filtered.Verdict("half + half + 1 LIKE 'a%'", message));
    }

    private static void Expect(bool? expected, string condition) => Assert.Equal(expected, Filtered.Verdict(condition, Message, Parameters));
}
