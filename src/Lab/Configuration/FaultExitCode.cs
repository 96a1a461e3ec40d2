using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>The exit codes of the faults that end the processing.</summary>
internal static class FaultExitCode
{
    public static int Of(ProcessingFault fault) =>
        fault.Kind switch
        {
            ProcessingFaultKind.Dependency => ExitCode.Dependency,
            ProcessingFaultKind.Poison => ExitCode.Poison,
            ProcessingFaultKind.DrainLimit => ExitCode.DrainLimit,
            _ => ExitCode.InvariantBreached,
        };
}
