using System.Reflection;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>The version of this program, with the commit that it was built from.</summary>
internal static class ProgramVersion
{
    public static string Text { get; } =
        typeof(ProgramVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "unknown";
}
