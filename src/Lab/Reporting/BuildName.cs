using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>Builds of this program in words.</summary>
internal static class BuildName
{
    /// <summary>The build of this process.</summary>
    public static string OfThisProcess => Of(ResultDocument.DescribeProgram(ProgramVersion.Text, ClientFamily.BuiltIn));

    /// <summary>The build that a result names.</summary>
    public static string Of(ProgramDetails program) =>
        $"{program.Version}, commit {program.Commit ?? "unknown"}{(program.Dirty == true ? " with changes on top" : "")}";
}
