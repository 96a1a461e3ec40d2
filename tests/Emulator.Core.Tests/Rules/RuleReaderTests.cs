using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Settings.Json;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Rules;

/// <summary>Rules in the form of the settings file, and what they take.</summary>
public sealed class RuleReaderTests
{
    public static TheoryData<object> WholeNumbers => [(byte)2, (sbyte)2, (short)2, (ushort)2, 2, 2u, 2L, 2UL];

    [Theory]
    [MemberData(nameof(WholeNumbers), DisableDiscoveryEnumeration = true)]
    public void A_correlation_with_a_whole_number_takes_it_in_every_width(object value)
    {
        var rule = Read("""{ "name": "r", "correlation": { "properties": { "version": 2 } } }""");
        Assert.True(rule.Filter.Takes(Filtered.Message(new AmqpMap { { "version", value } })));
        Assert.False(rule.Filter.Takes(Filtered.Message(new AmqpMap { { "version", "2" } })));
    }

    [Theory]
    [InlineData("2.5", 2.5)]
    [InlineData("1e300", 1e300)]
    [InlineData("9007199254740993", 9_007_199_254_740_993L)]
    [InlineData("-9223372036854775808", long.MinValue)]
    public void A_number_is_read_as_it_is_written(string written, object value)
    {
        var rule = Read($$"""{ "name": "r", "correlation": { "properties": { "n": {{written}} } } }""");
        Assert.True(rule.Filter.Takes(Filtered.Message(new AmqpMap { { "n", value } })));
    }

    [Fact]
    public void A_parameter_that_is_a_whole_number_is_one()
    {
        var rule = Read("""{ "name": "r", "sql": "n = @n", "parameters": { "@n": 9007199254740993 } }""");
        Assert.True(rule.Filter.Takes(Filtered.Message(new AmqpMap { { "n", 9_007_199_254_740_993L } })));
        Assert.False(rule.Filter.Takes(Filtered.Message(new AmqpMap { { "n", 9_007_199_254_740_992L } })));
    }

    private static FirstRule Read(string rule)
    {
        var document = SettingsDocument.Parse("body", Encoding.UTF8.GetBytes($$"""{ "rules": [{{rule}}] }"""));
        var rules = RuleReader.Read(document.Root)!;
        document.ThrowIfWrong();
        return Assert.Single(rules);
    }
}
