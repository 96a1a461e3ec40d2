using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>
/// What measured a cell: the build and the machine. Rates of different builds or machines are not compared. So a comparison continues only where its cells were
/// measured.
/// </summary>
internal static class CellOrigin
{
    /// <summary>How the cells of a comparison differ from what would measure the rest of it. Each difference is listed once.</summary>
    /// <param name="resumed">The comparison.</param>
    /// <param name="program">The build of today.</param>
    /// <param name="machine">The machine of today.</param>
    /// <param name="ownBuilds">Labels of configurations that name a custom build.</param>
    public static IReadOnlyList<string> Differences(
        ComparisonResult resumed,
        ProgramDetails program,
        MachineDetails machine,
        IReadOnlyCollection<string> ownBuilds
    ) =>
        [
            .. resumed
                .Cells.Where(static cell => cell.Result is not null)
                .SelectMany(cell =>
                    (ownBuilds.Contains(cell.Label) ? [] : OfBuild(cell.Result!.Program, program)).Concat(OfMachine(cell.Result!.Machine, machine))
                )
                .Distinct(StringComparer.Ordinal),
        ];

    private static IEnumerable<string> OfBuild(ProgramDetails measured, ProgramDetails now)
    {
        if (BuildName.Of(measured) != BuildName.Of(now))
        {
            yield return $"build {BuildName.Of(measured)} instead of {BuildName.Of(now)}";
        }
        else if (measured.PackageLockSha256 != now.PackageLockSha256)
        {
            yield return "the same build with other packages";
        }
    }

    private static IEnumerable<string> OfMachine(MachineDetails measured, MachineDetails now) =>
        from pair in new (string Name, string Measured, string Now)[]
        {
            ("system", measured.Os, now.Os),
            ("processor", measured.CpuModel ?? "unknown", now.CpuModel ?? "unknown"),
            ("processors", $"{measured.ProcessorCountSeen}", $"{now.ProcessorCountSeen}"),
            ("runtime", measured.Runtime, now.Runtime),
        }
        where pair.Measured != pair.Now
        select $"{pair.Name} {pair.Measured} instead of {pair.Now}";
}
