using System.Diagnostics;
using System.Reflection;

namespace EventHubThroughput.Testing;

/// <summary>How what is tested was built.</summary>
public static class Builds
{
    /// <summary>Whether an assembly was compiled for speed and not, with -p:Debuggable=true, for a debugger.</summary>
    public static bool IsOptimised(Assembly assembly) => assembly.GetCustomAttribute<DebuggableAttribute>() is not { IsJITOptimizerDisabled: true };
}
