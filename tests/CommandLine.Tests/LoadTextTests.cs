using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.CommandLine.Tests;

public sealed class LoadTextTests
{
    [Theory]
    [InlineData("400", "400/s")]
    [InlineData("0.5/s", "0.5/s")]
    [InlineData("100@0s,500/s@30s,20@90s", "100/s,500/s@30s,20/s@90s")]
    public async Task Rates_are_handed_on_as_they_were_read(string given, string expected) => Assert.Equal(expected, await ReadAsync("--rate", given));

    [Theory]
    [InlineData("200", "200")]
    [InlineData("64:90,4096:10", "64:90,4096:10")]
    public async Task Sizes_are_handed_on_as_they_were_read(string given, string expected) => Assert.Equal(expected, await ReadAsync("--size", given));

    private static async Task<string> ReadAsync(string option, string given)
    {
        var text = "";
        var run = await CommandRun.OfAsync(
            CommandRun.Sample(result =>
                text =
                    option == "--rate"
                        ? LoadText.OfRates(result.GetValue<IReadOnlyList<(double, TimeSpan)>>(option)!)
                        : LoadText.OfSizes(result.GetValue<IReadOnlyList<(int, int)>>(option)!)
            ),
            option,
            given
        );
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        return text;
    }
}
