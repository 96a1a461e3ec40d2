using EventHubThroughput.Emulator;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The official JavaScript SDKs, unchanged, against the emulator. What each flow checks stands in its script under js/.</summary>
public sealed class JavaScriptSdkTests
{
    [Fact]
    public Task The_official_producer_and_consumer_exchange_1000_events() => RunAsync("eventhubs.mjs");

    [Fact]
    public Task The_official_service_bus_client_sends_receives_and_settles_100_messages() => RunAsync("servicebus.mjs");

    [Fact]
    public Task The_official_consumer_resumes_from_its_blob_checkpoints() => RunAsync("checkpoints.mjs");

    private static async Task RunAsync(string script)
    {
        NodeScript.Require();
        CancellationToken cancellationToken = TestContext.Current.CancellationToken;
        await using EmulatorHost emulator = await EmulatorHost.StartAsync(new EmulatorOptions(), cancellationToken);
        await NodeScript.RunAsync(script, emulator.Settings, cancellationToken);
    }
}
