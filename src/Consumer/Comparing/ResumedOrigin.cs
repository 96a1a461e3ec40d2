using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>Where the cells of a comparison to continue were run. The remaining ones must be run by the same build, on the same machine and services.</summary>
internal static class ResumedOrigin
{
    /// <exception cref="UsageException">Something differs.</exception>
    public static void EnsureSame(string source, ComparisonPlan plan, ComparisonResult resumed)
    {
        EnsureSameBuild(source, plan, resumed);
        EnsureSameServices(source, plan, resumed);
    }

    private static void EnsureSameBuild(string source, ComparisonPlan plan, ComparisonResult resumed)
    {
        var now = ResultDocument.DescribeProgram(ProgramVersion.Text, plan.Reference.Options.Clients);
        string[] ownBuilds = [.. plan.Configurations.Where(static one => one.Build is not null).Select(static one => one.Label)];
        if (CellOrigin.Differences(resumed, now, ResultDocument.Machine(), ownBuilds) is { Count: > 0 } differences)
        {
            throw new UsageException([
                .. differences.Select(difference =>
                    $"{source}: its cells come from another build or machine ({difference}). Allowed is the same build on the same machine"
                ),
            ]);
        }
    }

    // Rates of other services are not compared.
    private static void EnsureSameServices(string source, ComparisonPlan plan, ComparisonResult resumed)
    {
        if (resumed.Settings.Services != plan.Services?.Described)
        {
            throw new UsageException(
                $"{source}: its cells were run on {GetPlace(resumed.Settings.Services)}, and the settings of the environment name {GetPlace(plan.Services?.Described)}"
            );
        }
    }

    private static string GetPlace(ComparedServices? place) =>
        place is null
            ? "no services (an emulator)"
            : $"event hub '{place.EventHub}' of {place.EventHubs}, messages on {place.ServiceBus}, storage {place.Storage}";
}
