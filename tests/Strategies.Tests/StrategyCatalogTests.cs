using Xunit;

namespace EventHubThroughput.Strategies.Tests;

public sealed class StrategyCatalogTests
{
    [Fact]
    public void The_order_is_the_one_of_the_comparison() => Assert.Equal(["baseline", "inloop", "outloop", "combined"], StrategyCatalog.Names.Take(4));

    [Fact]
    public void Names_are_unique_lower_case_words()
    {
        Assert.Equal(StrategyCatalog.All.Count, StrategyCatalog.Names.Distinct(StringComparer.Ordinal).Count());
        Assert.All(StrategyCatalog.Names, name => Assert.Matches("^[a-z][a-z0-9-]*$", name));
        Assert.All(StrategyCatalog.All, descriptor => Assert.EndsWith(".", descriptor.Summary, StringComparison.Ordinal));
    }

    [Fact]
    public void Strategies_that_lose_events_are_marked_and_give_the_reason()
    {
        Assert.Equal(["whenall", "published", "functions"], StrategyCatalog.All.Except(StrategyCatalog.Safe).Select(strategy => strategy.Name));
        Assert.All(StrategyCatalog.All, strategy => Assert.Equal(strategy.IsUnsafe, strategy.Label == $"{strategy.Name} (unsafe)"));
        Assert.All(
            StrategyCatalog.All.Except(StrategyCatalog.Safe),
            strategy => Assert.Subset(strategy.Options.Select(option => option.Name).ToHashSet(), strategy.Unsafe!.OptionNames.ToHashSet())
        );
        Assert.All(StrategyCatalog.All.Except(StrategyCatalog.Safe), strategy => Assert.EndsWith(".", strategy.Unsafe!.Why, StringComparison.Ordinal));
    }

    [Fact]
    public void A_strategy_is_found_by_its_name() => Assert.Equal("outloop", StrategyCatalog.Find("outloop").Name);

    [Fact]
    public void A_name_of_another_build_is_refused_with_the_switch_that_adds_it() =>
        Assert.Contains(
            "'outloop-dasync': needs a build with -p:OfficialPackages=true",
            Assert.Throws<ArgumentException>(() => StrategyCatalog.Find("outloop-dasync")).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void An_unknown_name_is_refused_with_those_that_exist() =>
        Assert.Contains(
            "Known: baseline, inloop, outloop, combined",
            Assert.Throws<ArgumentException>(() => StrategyCatalog.Find("outlop")).Message,
            StringComparison.Ordinal
        );
}
