using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Processes;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>Runs the <c>dotnet</c> that runs the tests.</summary>
internal static class Sdk
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(10);

    public static Task<FinishedProcess> RunAsync(string arguments, Dictionary<string, string> variables, CancellationToken cancellationToken)
    {
        var dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH");
        var settings = new Dictionary<string, string>(variables, StringComparer.Ordinal) { ["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1", ["DOTNET_NOLOGO"] = "1" };
        return Programs.RunAsync(dotnet ?? "/usr/bin/env", dotnet is null ? $"dotnet {arguments}" : arguments, settings, cancellationToken, Limit);
    }
}
