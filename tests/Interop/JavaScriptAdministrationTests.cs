using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>
/// The administration client of the official Service Bus SDK, over TLS, since it supports nothing else. The flows are in js/administration.mjs.
/// </summary>
public sealed class JavaScriptAdministrationTests(FlowRuns runs) : FlowTests(runs, Group)
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(4);

    internal static FlowGroup Group { get; } = new(typeof(JavaScriptAdministrationTests), FlowClient.JavaScript, RunAsync);

    [Fact, Feature(Features.EntityAdministration)]
    public Task A_queue_is_created_as_requested_and_used_immediately() => PassesAsync();

    [Fact, Feature(Features.EntityAdministration)]
    public Task A_changed_queue_treats_what_it_holds_by_its_new_rules() => PassesAsync();

    [Fact, Feature(Features.EntityAdministration)]
    public Task Omitted_settings_have_the_defaults_of_the_service_and_given_ones_are_kept() => PassesAsync();

    [Fact, Feature(Features.EntityAdministration)]
    public Task A_list_of_queues_comes_page_by_page() => PassesAsync();

    [Fact, Feature(Features.EntityAdministration)]
    public Task A_topic_and_its_subscriptions_are_made_changed_and_deleted() => PassesAsync();

    [Fact, Feature(Features.EntityAdministration)]
    public Task A_rule_is_made_changed_and_deleted() => PassesAsync();

    [Fact, Feature(Features.EntityAdministration)]
    public Task Contents_of_a_queue_and_a_subscription_are_counted() => PassesAsync();

    [Fact, Feature(Features.EntityAdministration)]
    public Task A_missing_existing_unknown_or_forbidden_entity_is_reported_by_its_code() => PassesAsync();

    private static async Task<FlowReport> RunAsync(FlowGroup group, CancellationToken cancellationToken)
    {
        await using var emulator = await EmulatorHost.StartAsync(new EmulatorOptions { Entities = EntitySet.Default, AdminTlsPort = 0 }, cancellationToken);
        var environment = new Dictionary<string, string>(emulator.Settings) { ["NODE_EXTRA_CA_CERTS"] = emulator.Settings["EMULATOR_TLS_CERTIFICATE"] };
        var node = new PeerScript(Peers.RequireNode("@azure/service-bus"), Path.Combine(Peers.ScriptFolder, "administration.mjs"));
        var result = await node.RunAsync(environment, Limit, cancellationToken);
        return FlowReport.Read(result.Output, result.Error);
    }
}
