using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Events.Tests;

public sealed class SinkNamesTests
{
    [Fact]
    public void Names_follow_from_hub_partition_and_sequence()
    {
        Assert.Equal("orders.v2_x-3-41", SinkNames.MessageId("orders.v2_x", "3", 41));
        Assert.Equal("orders.v2_x/3/00000000000000000041", SinkNames.BlobName("orders.v2_x", "3", 41));
    }

    [Theory]
    [InlineData("hub-1", "hub-1")]
    [InlineData("a/b", "a~2Fb")]
    [InlineData("a~b", "a~7Eb")]
    [InlineData("..", "~2E~2E")]
    [InlineData("../x", "~2E.~2Fx")]
    [InlineData("hub.", "hub~2E")]
    [InlineData("é %?#\\", "~C3~A9~20~25~3F~23~5C")]
    public void Other_characters_are_escaped(string name, string expected)
    {
        Assert.Equal(expected, SinkNames.Escape(name));
        Assert.Equal(name, SinkNames.Unescape(expected));
    }

    [Fact]
    public void Every_name_is_found_again_from_its_escaped_form() =>
        Prop.ForAll(
                ArbMap.Default.ArbFor<NonNull<string>>().Filter(name => IsWellFormed(name.Get)),
                name => SinkNames.Unescape(SinkNames.Escape(name.Get)) == name.Get
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void Escaped_names_hold_plain_characters_only() =>
        Prop.ForAll(
                ArbMap.Default.ArbFor<NonNull<string>>(),
                name => SinkNames.Escape(name.Get).All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '.' or '_' or '~')
            )
            .Check(PropertyCases.Usual);

    [Theory]
    [InlineData("~2")]
    [InlineData("~")]
    [InlineData("~zz")]
    public void An_escape_cut_short_is_refused(string escaped) => Assert.Throws<FormatException>(() => SinkNames.Unescape(escaped));

    [Fact]
    public void A_name_beyond_the_service_limit_is_refused()
    {
        Assert.Equal(SinkNames.LongestMessageId, SinkNames.MessageId(new string('h', 124), "0", 1).Length);
        Assert.Throws<ArgumentException>(() => SinkNames.MessageId(new string('h', 125), "0", 1));
        Assert.Throws<ArgumentException>(() => SinkNames.BlobName(new string('é', 200), "0", 1));
    }

    // A text with half a surrogate pair has no UTF-8 form. No service accepts it as a name.
    private static bool IsWellFormed(string text) => !text.EnumerateRunes().Contains(System.Text.Rune.ReplacementChar);
}
