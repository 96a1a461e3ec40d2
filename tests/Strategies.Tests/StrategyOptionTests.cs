using Xunit;

namespace EventHubThroughput.Strategies.Tests;

public sealed class StrategyOptionTests
{
    private static readonly StrategyOption[] Declared = [new("shards", 16, 1, 256, "How many lanes keys share."), new("linger", 5, 0, 1000, "Milliseconds.")];

    [Fact]
    public void An_option_that_was_not_chosen_has_its_default()
    {
        var values = StrategyOptionValues.Of(Declared, new Dictionary<string, int>(StringComparer.Ordinal) { ["linger"] = 0 });

        Assert.Equal((16, 0), (values["shards"], values["linger"]));
        Assert.Equal(["linger", "shards"], values.All.Keys.Order());
    }

    [Theory]
    [InlineData("shards", 0, "'shards' 0: not allowed, 1 to 256")]
    [InlineData("shards", 257, "'shards' 257: not allowed, 1 to 256")]
    [InlineData("width", 3, "'width': not an option of the strategy, it has shards, linger")]
    public void An_invalid_option_value_is_refused_with_the_allowed_ones(string name, int value, string expected) =>
        Assert.StartsWith(
            expected,
            Assert
                .Throws<ArgumentException>(() => StrategyOptionValues.Of(Declared, new Dictionary<string, int>(StringComparer.Ordinal) { [name] = value }))
                .Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void A_strategy_without_options_takes_none() =>
        Assert.StartsWith(
            "'shards': not an option of the strategy",
            Assert.Throws<ArgumentException>(() => StrategyOptionValues.Of([], new Dictionary<string, int>(StringComparer.Ordinal) { ["shards"] = 1 })).Message,
            StringComparison.Ordinal
        );
}
