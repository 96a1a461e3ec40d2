using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;

namespace EventHubThroughput.Interop;

/// <summary>Runs a Node script of flows against a separate emulator.</summary>
internal static class FlowScript
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(4);

    /// <summary>Starts the emulator, runs the script to its end and reads its reports on flows.</summary>
    /// <param name="script">The file's name in tests/Interop/js.</param>
    /// <param name="packages">Packages that must be installed, else the tests are skipped.</param>
    /// <param name="entities">What the emulator holds.</param>
    /// <param name="cancellationToken">Kills the script.</param>
    public static async Task<FlowReport> RunAsync(string script, string[] packages, EntitySet entities, CancellationToken cancellationToken)
    {
        await using var emulator = await EmulatorHost.StartAsync(new EmulatorOptions { Entities = entities }, cancellationToken);
        var node = new PeerScript(Peers.RequireNode(packages), Path.Combine(Peers.ScriptFolder, script));
        var result = await node.RunAsync(emulator.Settings, Limit, cancellationToken);
        return FlowReport.Read(result.Output, result.Error);
    }
}
