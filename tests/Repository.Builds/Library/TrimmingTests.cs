using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>What the analyzers of trimming and native compilation say of the packages.</summary>
public sealed class TrimmingTests(CompilerServer compiler) : IDisposable
{
    private const string Reflecting = """
        namespace EventHubThroughput.Pump;

        internal static class Reflecting
        {
            public static string GetText(object value) => System.Text.Json.JsonSerializer.Serialize(value);
        }
        """;

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-trimming-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public async Task No_package_has_a_warning_and_code_that_needs_reflection_would_have_one()
    {
        SourceCopy.Make(folder.FullName);

        // Hosting references all packages except the contract of strategies, which references the others.
        foreach (var project in (string[])["Hosting", "Strategies.Contract"])
        {
            var clean = await BuildAsync(project);
            Assert.True(clean.ExitCode == 0, $"{clean.Output}{clean.Error}");
        }

        await File.WriteAllTextAsync(Path.Combine(folder.FullName, "src", "Pump", "Reflecting.cs"), Reflecting, TestContext.Current.CancellationToken);
        var warned = await BuildAsync("Pump");

        Assert.NotEqual(0, warned.ExitCode);
        Assert.Matches(@"Reflecting\.cs\(5,\d+\): error IL2026", warned.Output);
        Assert.Contains("error IL3050", warned.Output, StringComparison.Ordinal);
    }

    private Task<FinishedProcess> BuildAsync(string project) =>
        Sdk.RunAsync(
            $"build {Path.Combine(folder.FullName, "src", project)} {compiler.Options} -warnaserror -p:AnalyzeTrimming=true -p:RunAnalyzers=true",
            [],
            TestContext.Current.CancellationToken
        );
}
