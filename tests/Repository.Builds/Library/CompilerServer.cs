using EventHubThroughput.Repository.Builds.Library;
using Xunit;

[assembly: AssemblyFixture(typeof(CompilerServer))]

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>
/// A compiler server for the builds of these tests. The compiler and the analyzers are then loaded once, not once a project. The first build
/// starts it, and it ends with the tests. No other build uses it.
/// </summary>
public sealed class CompilerServer : IAsyncDisposable
{
    private readonly string pipe = $"eht-{Guid.NewGuid():N}";

    /// <summary>Options of <c>dotnet build</c> that use this server and leave no other process running.</summary>
    public string Options => $"-nodeReuse:false -p:UseRazorBuildServer=false -p:UseSharedCompilation=true -p:SharedCompilationId={pipe}";

    public async ValueTask DisposeAsync()
    {
        var sdks = await Sdk.RunAsync("--list-sdks", [], CancellationToken.None);
        var version = (await Sdk.RunAsync("--version", [], CancellationToken.None)).Output.Trim();
        var folder = sdks.Output.Split('\n').First(line => line.StartsWith($"{version} [", StringComparison.Ordinal)).Split('[', ']')[1];
        var server = Path.Combine(folder, version, "Roslyn", "bincore", "VBCSCompiler.dll");

        // Ends with 0 if no build has started it, too.
        var ended = await Sdk.RunAsync($"exec \"{server}\" -shutdown -pipename:{pipe}", [], CancellationToken.None);
        Assert.True(ended.ExitCode == 0, $"{server}: {ended.Output}{ended.Error}");
    }
}
