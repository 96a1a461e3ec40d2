using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.Reports;
using EventHubThroughput.Lab.Services;
using EventHubThroughput.Lab.Tests.Doubles;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Comparing;

/// <summary>A comparison on services: its entities, what it prints before it begins, and what its result states.</summary>
public sealed class ComparisonServicesTests
{
    [Fact]
    public async Task Each_cell_has_separate_entities_and_the_blocks_share_consumer_groups()
    {
        var plan = await PlanAsync("queue", "--strategies=baseline,combined", "--repeats=2");

        var cells = ComparisonServices.GetCells(plan).ToList();
        var entities = cells.ConvertAll(cell => plan.Services!.GetEntities(plan, cell));

        Assert.Equal(plan.MostBlocks * 3, cells.Count);
        Assert.Equal(cells.Count, entities.Select(static one => one.Messages).Distinct().Count());
        Assert.Equal(3 * cells.Count, entities.SelectMany(static one => one.Containers).Distinct().Count());
        Assert.Equal(3, entities.Select(static one => one.Group).Distinct().Count());
        Assert.Equal(entities[0].Group, entities[3].Group);
        Assert.All(plan.Services!.GetAllCreated(plan), one => Assert.StartsWith($"eht-{plan.Id}-", one.Name, StringComparison.Ordinal));
        Assert.Equal(3 + (4 * cells.Count), plan.Services.GetAllCreated(plan).Count);
    }

    [Fact]
    public async Task A_hub_gets_at_most_ten_consumer_groups_and_containers_have_allowed_names()
    {
        var plan = await PlanAsync("topic", "--strategies=all", "--repeats=100");

        var all = plan.Services!.GetAllCreated(plan);

        Assert.Equal(10, all.Count(static one => one.Kind == EntityKind.ConsumerGroup));
        Assert.All(all, static one => Assert.InRange(one.Name.Length, 3, 50));
        Assert.All(all.Where(static one => one.Kind == EntityKind.Subscription), static one => Assert.StartsWith("eht-", one.Topic, StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_plan_names_hub_events_entities_and_operations()
    {
        var plan = await PlanAsync("queue", "--strategies=combined,pipelined:checkpoint-events=100", "--events=2000", "--size=500");

        Assert.Equal(
            [
                "services  event hub 'hub' of bus.example, messages on bus.example, storage account.example",
                $"creates   3 consumer groups, 3 queues, 9 containers, named eht-{plan.Id}-*",
                "          30 operations of administration. All of them are removed at the end",
                "          left.json names them until then",
                "sends     2,000 events, 1.0 MB, to event hub 'hub'",
                "          They stay until the retention of the hub ends, and each other reader of the hub gets them",
                "runs      3 cells of 2 + 5 s, about 1 min and the time of reading back",
                "writes    at most 6,000 messages, 6,000 blobs and 4,021 checkpoints, and reads back what was written",
            ],
            ServicePlanText.Of(plan, "left.json")
        );
    }

    [Fact]
    public async Task The_plan_of_a_rate_has_its_events_and_that_of_existing_entities_creates_none()
    {
        var plan = await PlanAsync("queue", "--strategies=combined", "--rate=100", "--sinks=blob", "--repeats=2");
        var existing = new ExistingCell("group", "orders", null, null, "a", "c", "d");
        plan = plan with { Services = plan.Services! with { Existing = [.. Enumerable.Repeat(existing, 8)] } };

        var lines = ServicePlanText.Of(plan, null).ToList();

        Assert.Contains("entities  those of the file, 4 sets. Nothing is created or removed. Their checkpoints are replaced", lines);
        Assert.Contains("sends     at most 3,600 events, 3.7 MB, to event hub 'hub'", lines);
        Assert.Contains("writes    at most 0 messages, 3,600 blobs and 3,600 checkpoints, and reads back what was written", lines);
    }

    [Fact]
    public async Task The_result_names_the_services_and_no_profile_or_prediction()
    {
        var plan = await PlanAsync("queue", "--strategies=baseline,combined");
        var cells = MadeUpComparison.Blocks(plan, [10, 20]);
        var result = ComparisonDocument.Of(plan, cells, DateTimeOffset.UnixEpoch, TimeSpan.Zero, complete: true, "1.0");

        await using var text = new StringWriter();
        ComparisonText.Write(result, 160, text);
        var page = HtmlReport.Of(result);

        Assert.Null(result.Settings.Profile);
        Assert.StartsWith("compare  event hub hub of bus.example, 1 partition,", text.ToString(), StringComparison.Ordinal);
        Assert.Contains("no final checkpoint was ahead (by the ledger and what was read back from the services)", text.ToString(), StringComparison.Ordinal);
        Assert.Contains(
            "The rates are those of the services bus.example, bus.example and account.example at that time",
            string.Join(' ', Conclusions.ListLimits(result)),
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("article-spread", page, StringComparison.Ordinal);
        Assert.DoesNotContain("emulator's latency", page, StringComparison.Ordinal);
        Assert.DoesNotContain("SharedAccessKey", page, StringComparison.Ordinal);
    }

    private static async Task<ComparisonPlan> PlanAsync(string kind, params string[] arguments)
    {
        var settings = MessagingSettings
            .FromEnvironment(
                name =>
                    name switch
                    {
                        "EVENTHUB_CONNECTION_STRING" or "SERVICEBUS_CONNECTION_STRING" =>
                            "Endpoint=sb://bus.example;SharedAccessKeyName=a;SharedAccessKey=YQ==",
                        "EVENTHUB_NAME" => "hub",
                        "STORAGE_CONNECTION_STRING" => "AccountName=account;AccountKey=YQ==;BlobEndpoint=https://account.example",
                        _ => name == $"SERVICEBUS_{kind.ToUpperInvariant()}" ? "orders" : null,
                    },
                SettingsScope.Consumer
            )
            .Require();
        return await MadeUpComparison.PlanAsync(arguments) with { Services = new ComparisonServices(settings, ClientFamily.BuiltIn) };
    }
}
