using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Workload;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

public sealed class AssemblyDetailsTests
{
    private static readonly string Own = typeof(AssemblyDetailsTests).Assembly.Location;

    [Fact]
    public void Names_the_assembly_of_a_strategy_of_ones_own_with_its_hash()
    {
        var details = GetStrategy(Reports.ContinuesAcrossBatches).Assembly;

        Assert.Equal(
            (Path.GetFileName(Own), EventStamp.Hash(File.ReadAllBytes(Own)), typeof(AssemblyDetailsTests).Assembly.GetName().Version!.ToString()),
            (details!.File, details.Sha256, details.Version)
        );
    }

    [Fact]
    public void Names_none_for_a_strategy_of_this_program() => Assert.Null(GetStrategy(StrategyCatalog.Find("combined")).Assembly);

    [Fact]
    public void A_missing_file_is_described_by_its_name_alone() =>
        Assert.Equal(new AssemblyDetails { File = "gone.dll" }, AssemblyDetails.Of(Path.Combine(Path.GetTempPath(), "nowhere-at-all", "gone.dll")));

    private static StrategyDetails GetStrategy(StrategyDescriptor strategy)
    {
        var report = Reports.Of(strategy);
        return ResultDocument.Of(report with { Options = report.Options with { StrategyAssembly = Own } }, "1").Strategy;
    }
}
