using EventHubThroughput.Lab.Comparing.Reports;
using Xunit;
using static EventHubThroughput.Lab.Tests.Doubles.ReportedComparisons;

namespace EventHubThroughput.Lab.Tests.Comparing.Reports;

public sealed class ShortNamesTests
{
    [Theory]
    [InlineData("pipelined", "pipelined")]
    [InlineData("pipelined:batch=10:degree=128", "pipelined, batch 10, degree 128")]
    [InlineData("combined:checkpoint-events=500:sink=mine", "combined, checkpoint-events 500, sink mine")]
    [InlineData("combined:build=C:/before", "combined, build C:/before")]
    public void A_setting_is_a_part_of_a_text(string label, string name) => Assert.Equal(name, ShortNames.Of(label));

    [Fact]
    public async Task Labels_in_sentences_are_names_too()
    {
        var swept = await SweptAsync();
        var result = ShortNames.In(
            swept with
            {
                Sentences = ["pipelined:batch=10: use degree 8.", "pipelined:batch=100:degree=128 in block 2, pipelined:batch=10:degree=1 (4 % off)."],
            }
        );

        Assert.Equal(
            ["pipelined, batch 10: use degree 8.", "pipelined, batch 100, degree 128 in block 2, pipelined, batch 10, degree 1 (4 % off)."],
            result.Sentences
        );
        Assert.All(result.Sweep!.SelectMany(static one => one.Degrees), point => Assert.Contains(result.Strategies, one => one.Label == point.Label));
        Assert.All(result.Cells, cell => Assert.Contains(result.Strategies, one => one.Label == cell.Label));
    }
}
