using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.CommandLine.Tests;

public sealed class TextFormTests
{
    [Fact]
    public void A_duration_written_is_read_back() =>
        Prop.ForAll(
                Gen.Choose(0, int.MaxValue).Select(value => TimeSpan.FromMilliseconds(value)).ToArbitrary(),
                duration => DurationText.TryParse(DurationText.Format(duration), out var read, out _) && read == duration
            )
            .Check(PropertyCases.Usual);

    [Fact]
    public void Any_text_gives_a_duration_or_a_reason() =>
        Prop.ForAll(ArbMap.Default.ArbFor<NonNull<string>>(), text => DurationText.TryParse(text.Get, out _, out var problem) == (problem.Length == 0))
            .Check(PropertyCases.Usual);

    [Theory]
    [InlineData("outlop", "outloop")]
    [InlineData("OutLoop", "outloop")]
    [InlineData("basleine", "baseline")]
    [InlineData("combine", "combined")]
    [InlineData("x", null)]
    [InlineData("pipelined", null)]
    [InlineData("", null)]
    public void The_nearest_word_is_suggested_only_when_it_is_near(string word, string? expected) =>
        Assert.Equal(expected, Suggestion.Nearest(word, CommandRun.Strategies));

    [Theory]
    [InlineData(
        "Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=abc+/=;EntityPath=x",
        "Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=***;EntityPath=x"
    )]
    [InlineData("AccountName=a;AccountKey=abc==", "AccountName=a;AccountKey=***")]
    [InlineData("http://h/c?se=1&sig=a%2Bb&sp=r", "http://h/c?se=1&sig=***&sp=r")]
    [InlineData("Authorization: Bearer eyJ0", "Authorization: Bearer ***")]
    [InlineData("SharedAccessSignature sr=x&sig=abc", "SharedAccessSignature ***&sig=***")]
    [InlineData("nothing here", "nothing here")]
    public void Secrets_are_masked_in_every_place(string text, string expected) => Assert.Equal(expected, SecretMask.Apply(text));
}
