using EventHubThroughput.Emulator;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The official JavaScript SDKs, unchanged, against the emulator. What each flow checks stands in its script under js/.</summary>
public sealed class JavaScriptSdkTests
{
    [Fact]
    public Task The_official_producer_and_consumer_exchange_1000_events() =>
        RunAsync("eventhubs.mjs", ["@azure/event-hubs"], """{"sent":1000,"received":1000,"keys":7}""");

    [Fact]
    public Task The_official_service_bus_client_sends_receives_and_settles_100_messages() =>
        RunAsync("servicebus.mjs", ["@azure/service-bus"], """{"sent":100,"completed":80,"abandoned":20,"deadLettered":20}""");

    private static async Task RunAsync(string script, string[] packages, string expected)
    {
        CancellationToken cancellationToken = TestContext.Current.CancellationToken;
        await using EmulatorHost emulator = await EmulatorHost.StartAsync(new EmulatorOptions(), cancellationToken);
        NodeScriptResult result = await NodeScript.RunAsync(script, packages, emulator.Settings, TimeSpan.FromSeconds(120), cancellationToken);
        Assert.Equal(expected, result.EnsureSuccess().Output.Trim());
    }
}
