using System.Collections.Concurrent;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Xunit;

namespace EventHubThroughput.Processing.Tests.Hosting;

/// <summary>Processing as a service of a host, on a hub of one partition.</summary>
public sealed class HostedProcessingTests : IDisposable
{
    private const string Secret = "c2VjcmV0LXRoYXQtbm9ib2R5LXNlZXM=";
    private const string Category = "EventHubThroughput.Processing";

    private readonly LogRecorder log = new();
    private readonly VirtualClock clock = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Hands_every_event_to_the_handler_and_drains_when_the_host_stops()
    {
        var hub = new OnePartition(events: 25);
        var handled = new ConcurrentQueue<long>();
        using var host = HostOf(hub, builder => builder.Handle((received, _) => Note(handled, received)));

        await host.StartAsync(Cancellation);
        await hub.GiveAsync().WaitAsync(Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Equal(Enumerable.Range(0, 25).Select(number => (long)number), handled.Order());
        Assert.Equal(24, hub.Stored);
        Assert.True(hub.Disposed);
        Assert.Equal(["Started", "Taken", "GivenUp", "Ended"], Names());
        Assert.DoesNotContain(log.Lines, line => line.Message.Contains(Secret, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Says_that_a_partition_was_lost()
    {
        var hub = new OnePartition(events: 1) { Reason = PartitionStopReason.OwnershipLost };
        using var host = HostOf(hub, builder => builder.Handle((_, _) => ValueTask.CompletedTask));

        await host.StartAsync(Cancellation);
        await hub.GiveAsync().WaitAsync(Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Equal(LogLevel.Warning, Assert.Single(log.Of("Lost")).Level);
        Assert.Empty(log.Of("GivenUp"));
    }

    [Fact]
    public async Task Makes_a_handler_of_a_type_with_services_of_its_own_for_every_event()
    {
        var hub = new OnePartition(events: 3);
        using var host = HostOf(
            hub,
            builder =>
            {
                builder.Services.AddSingleton<ConcurrentQueue<Guid>>().AddScoped<Scoped>();
                builder.Handle<CountingHandler>();
            }
        );

        await host.StartAsync(Cancellation);
        await hub.GiveAsync().WaitAsync(Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Equal(3, host.Services.GetRequiredService<ConcurrentQueue<Guid>>().Distinct().Count());
    }

    [Fact]
    public async Task Writes_to_several_sinks_and_makes_one_of_a_type_with_its_context()
    {
        var hub = new OnePartition(events: 3);
        var handled = new ConcurrentQueue<long>();
        using var host = HostOf(
            hub,
            builder =>
            {
                builder.Services.AddSingleton<ConcurrentQueue<string>>();
                builder.Handle((received, _) => Note(handled, received)).WriteTo<HubSink>();
            }
        );

        await host.StartAsync(Cancellation);
        await hub.GiveAsync().WaitAsync(Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Equal(3, handled.Count);
        Assert.Equal(["hub/0", "hub/1", "hub/2"], host.Services.GetRequiredService<ConcurrentQueue<string>>().Order());
        Assert.Contains(
            "into handler, hubsink",
            Assert.Single(log.Lines, line => line.EventId.Name == "Started" && line.Category == Category).Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task The_end_by_a_fault_is_logged_once_makes_it_unhealthy_and_stops_the_host()
    {
        var hub = new OnePartition(events: 3);
        using var host = HostOf(hub, builder => builder.Handle((_, _) => throw new MessagingException(FailureKind.Permanent, "no such table")));
        var check = host.Services.GetRequiredService<EventHubProcessingHealthCheck>();
        Assert.Equal(HealthStatus.Degraded, (await CheckAsync(check)).Status);

        var stopping = new TaskCompletionSource();
        host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping.Register(stopping.SetResult);
        await host.StartAsync(Cancellation);
        _ = hub.GiveAsync();
        await stopping.Task.WaitAsync(Cancellation);

        var fault = Assert.Single(log.Of("Failed"));
        Assert.Equal(LogLevel.Critical, fault.Level);
        Assert.Contains("failed at handler after 1 attempt: no such table", fault.Message, StringComparison.Ordinal);
        var health = await CheckAsync(check);
        Assert.Equal(HealthStatus.Unhealthy, health.Status);
        Assert.Contains("no such table", health.Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Is_degraded_while_no_partition_has_been_owned_for_longer_than_the_expiry()
    {
        var hub = new OnePartition(events: 1);
        using var host = HostOf(hub, builder => builder.Handle((_, _) => ValueTask.CompletedTask));
        var check = host.Services.GetRequiredService<EventHubProcessingHealthCheck>();
        await host.StartAsync(Cancellation);
        await log.FirstAsync(line => line.EventId.Name == "Started" && line.Category == Category, Cancellation);

        clock.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(check)).Status);
        clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(HealthStatus.Degraded, (await CheckAsync(check)).Status);
        await hub.GiveAsync().WaitAsync(Cancellation);
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(check)).Status);

        await host.StopAsync(Cancellation);
    }

    [Fact]
    public async Task Is_degraded_while_an_event_is_held()
    {
        var hub = new OnePartition(events: 1);
        using var host = HostOf(
            hub,
            builder =>
                builder
                    .Handle((_, _) => throw new MessagingException(FailureKind.Permanent, "no such table"))
                    .Configure(options => options.Processing = options.Processing with { OnPoison = PoisonPolicy.Block })
        );
        await host.StartAsync(Cancellation);
        _ = hub.GiveAsync();
        await log.FirstAsync("Noticed", Cancellation);

        var health = await CheckAsync(host.Services.GetRequiredService<EventHubProcessingHealthCheck>());

        Assert.Equal((HealthStatus.Degraded, "1 event held because a write keeps failing"), (health.Status, health.Description));
        await host.StopAsync(Cancellation);
    }

    [Fact]
    public async Task Refuses_to_start_with_every_problem_and_no_secret()
    {
        using var host = HostOf(
            new OnePartition(events: 0),
            builder => builder.Configure(options => options.Processing = options.Processing with { MaxConcurrency = 0, Retries = 1001 }),
            new()
            {
                ["EVENTHUB_CONNECTION_STRING"] = $"Endpoint=sb://127.0.0.1;SharedAccessKeyName=Root;SharedAccessKey={Secret};UseDevelopmentEmulator=true",
                ["STORAGE_CONTAINER"] = "No",
            }
        );

        var refused = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync(Cancellation));

        Assert.Equal(
            ["MaxConcurrency", "Retries", "Sinks", "EVENTHUB_NAME", "STORAGE_CONNECTION_STRING", "STORAGE_CONTAINER"],
            refused.Failures.Select(failure => failure.Split(' ', ':')[0])
        );
        Assert.DoesNotContain(Secret, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("servicebus", new[] { "SERVICEBUS_CONNECTION_STRING", "SERVICEBUS_QUEUE" })]
    [InlineData("blob", new string[0])]
    public async Task Asks_for_Service_Bus_only_where_a_sink_needs_it(string sink, string[] missing)
    {
        using var host = HostOf(new OnePartition(events: 0), builder => builder.WriteTo(SinkCatalog.Find(sink)));

        var problems = await Record.ExceptionAsync(() => Task.FromResult(host.Services.GetRequiredService<IOptions<EventHubHostingOptions>>().Value));

        Assert.Equal(missing, (problems as OptionsValidationException)?.Failures.Select(failure => failure.Split(':')[0]) ?? []);
    }

    [Fact]
    public async Task The_clients_log_where_the_host_logs_and_try_a_write_once()
    {
        ClientOptions? told = null;
        var hub = new OnePartition(events: 0);
        using var host = HostOf(
            hub,
            builder =>
                builder
                    .Handle((_, _) => ValueTask.CompletedTask)
                    .Configure(options =>
                        options.Clients = new ClientFamily(
                            "told",
                            (_, given) =>
                            {
                                told = given;
                                return hub;
                            }
                        )
                    )
        );

        await host.StartAsync(Cancellation);
        await log.FirstAsync(line => line.EventId.Name == "Started" && line.Category == Category, Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Same(log, told?.LoggerFactory);
        Assert.Same(RetryOptions.Once, told?.Writes);
    }

    [Fact]
    public void A_second_call_adds_to_the_first()
    {
        var services = new ServiceCollection();
        services.AddEventHubProcessing();
        services.AddEventHubProcessing();
        Assert.Single(services, service => service.ServiceType == typeof(IHostedService));
    }

    public void Dispose() => log.Dispose();

    private static async ValueTask Note(ConcurrentQueue<long> handled, ReceivedEvent received)
    {
        await Task.Yield();
        handled.Enqueue(received.SequenceNumber);
    }

    private static Task<HealthCheckResult> CheckAsync(EventHubProcessingHealthCheck check) => check.CheckHealthAsync(new HealthCheckContext(), Cancellation);

    private string[] Names() => [.. log.Lines.Where(line => line.Category == Category).Select(line => line.EventId.Name!)];

    private IHost HostOf(OnePartition hub, Action<EventHubProcessingBuilder> sinks, Dictionary<string, string?>? variables = null)
    {
        var application = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        application.Configuration.AddInMemoryCollection(
            variables
                ?? new()
                {
                    ["EVENTHUB_CONNECTION_STRING"] = $"Endpoint=sb://127.0.0.1;SharedAccessKeyName=Root;SharedAccessKey={Secret};UseDevelopmentEmulator=true",
                    ["EVENTHUB_NAME"] = "hub",
                    ["STORAGE_CONNECTION_STRING"] = $"AccountName=account;AccountKey={Secret};BlobEndpoint=http://127.0.0.1:10000/account;",
                }
        );
        application.Services.AddSingleton<ILoggerFactory>(log);
        application.Services.AddSingleton<TimeProvider>(clock);
        sinks(
            application.Services.AddEventHubProcessing(options =>
            {
                options.Clients = new ClientFamily("one partition", (_, _) => hub);
                options.ExitCodeOnFault = null;
            })
        );
        return application.Build();
    }

    private sealed class Scoped
    {
        public Guid Id { get; } = Guid.NewGuid();
    }

    private sealed class CountingHandler(ConcurrentQueue<Guid> seen, Scoped scoped) : IEventHandler
    {
        public ValueTask HandleAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            seen.Enqueue(scoped.Id);
            return ValueTask.CompletedTask;
        }
    }

    private sealed class HubSink(ConcurrentQueue<string> written, SinkContext context) : ISink<ReceivedEvent>
    {
        public string Name => "hubsink";

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            written.Enqueue($"{context.EventHubName}/{receivedEvent.SequenceNumber}");
            return ValueTask.CompletedTask;
        }
    }
}
