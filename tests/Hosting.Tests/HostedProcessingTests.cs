using System.Collections.Concurrent;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Tests.Doubles;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Xunit;

namespace EventHubThroughput.Hosting.Tests;

/// <summary>Processing as a service of a host, on a hub of one partition.</summary>
public sealed class HostedProcessingTests : IDisposable
{
    private readonly HostBench bench = new HostBench().WithSection();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Hands_every_event_to_the_handler_and_drains_when_the_host_stops()
    {
        var hub = new OnePartition(events: 25);
        var handled = new ConcurrentQueue<long>();
        using var host = GetHost(hub, orders => orders.Handle((received, _) => Note(handled, received)));

        await host.StartAsync(Cancellation);
        await hub.GiveAsync().WaitAsync(Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Equal(Enumerable.Range(0, 25).Select(number => (long)number), handled.Order());
        Assert.Equal(24, hub.Stored);
        Assert.True(hub.Disposed);
        Assert.Equal(["Started", "Taken", "GivenUp", "Ended"], Names());
        Assert.DoesNotContain(bench.Log.Lines, line => line.Message.Contains(HostBench.Secret, StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_loss_of_a_partition_is_logged()
    {
        var hub = new OnePartition(events: 1) { Reason = PartitionStopReason.OwnershipLost };
        using var host = GetHost(hub, orders => orders.Handle((_, _) => ValueTask.CompletedTask));

        await host.StartAsync(Cancellation);
        await hub.GiveAsync().WaitAsync(Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Equal(LogLevel.Warning, Assert.Single(bench.Log.Of("Lost")).Level);
        Assert.Empty(bench.Log.Of("GivenUp"));
    }

    [Fact]
    public async Task A_handler_type_is_created_with_scoped_services_for_every_event()
    {
        var hub = new OnePartition(events: 3);
        using var host = GetHost(
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
        using var host = GetHost(
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
            Assert.Single(bench.Log.Lines, line => line.EventId.Name == "Started" && line.Category == HostBench.Category).Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task The_end_by_a_fault_is_logged_once_makes_it_unhealthy_and_stops_the_host()
    {
        var hub = new OnePartition(events: 3);
        using var host = GetHost(hub, orders => orders.Handle((_, _) => throw new MessagingException(FailureKind.Permanent, "no such table")));
        var check = host.Services.GetRequiredService<HealthCheckService>();
        Assert.Equal(HealthStatus.Degraded, (await CheckAsync(check)).Status);

        var stopping = new TaskCompletionSource();
        host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping.Register(stopping.SetResult);
        await host.StartAsync(Cancellation);
        _ = hub.GiveAsync();
        await stopping.Task.WaitAsync(Cancellation);

        var fault = Assert.Single(bench.Log.Of("Failed"));
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
        using var host = GetHost(hub, orders => orders.Handle((_, _) => ValueTask.CompletedTask));
        var check = host.Services.GetRequiredService<HealthCheckService>();
        await host.StartAsync(Cancellation);
        await bench.Log.FirstAsync(line => line.EventId.Name == "Started" && line.Category == HostBench.Category, Cancellation);

        bench.Clock.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(check)).Status);
        bench.Clock.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(HealthStatus.Degraded, (await CheckAsync(check)).Status);
        await hub.GiveAsync().WaitAsync(Cancellation);
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(check)).Status);

        await host.StopAsync(Cancellation);
    }

    [Fact]
    public async Task Is_degraded_while_an_event_is_held()
    {
        var hub = new OnePartition(events: 1);
        using var host = GetHost(
            hub,
            builder =>
                builder
                    .Handle((_, _) => throw new MessagingException(FailureKind.Permanent, "no such table"))
                    .Configure(options => options.OnPoison = PoisonPolicy.Block)
        );
        await host.StartAsync(Cancellation);
        _ = hub.GiveAsync();
        await bench.Log.FirstAsync("Noticed", Cancellation);

        var health = await CheckAsync(host.Services.GetRequiredService<HealthCheckService>());

        Assert.Equal((HealthStatus.Degraded, "1 event blocked because a write keeps failing"), (health.Status, health.Description));
        await host.StopAsync(Cancellation);
    }

    [Fact]
    public async Task The_clients_log_where_the_host_logs_and_try_a_write_once()
    {
        ClientOptions? given = null;
        var hub = new OnePartition(events: 0);
        using var host = GetHost(
            hub,
            orders =>
                orders
                    .Handle((_, _) => ValueTask.CompletedTask)
                    .UseClients(
                        new ClientFamily(
                            "noting",
                            (_, options) =>
                            {
                                given = options;
                                return hub;
                            }
                        )
                    )
        );

        await host.StartAsync(Cancellation);
        await bench.Log.FirstAsync(line => line.EventId.Name == "Started" && line.Category == HostBench.Category, Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Same(bench.Log, given?.LoggerFactory);
        Assert.Same(RetryOptions.Once, given?.Writes);
        Assert.Same(bench.Clock, given?.TimeProvider);
    }

    public void Dispose() => bench.Dispose();

    private static async ValueTask Note(ConcurrentQueue<long> handled, ReceivedEvent received)
    {
        await Task.Yield();
        handled.Enqueue(received.SequenceNumber);
    }

    private static async Task<HealthReportEntry> CheckAsync(HealthCheckService checks) => (await checks.CheckHealthAsync(Cancellation)).Entries["orders"];

    private string[] Names() => [.. bench.Log.Lines.Where(line => line.Category == HostBench.Category).Select(line => line.EventId.Name!)];

    private IHost GetHost(OnePartition hub, Action<EventHubProcessingBuilder> configure)
    {
        configure(bench.Add(hub));
        bench.Application.Services.AddHealthChecks().AddEventHubProcessing("orders");
        return bench.Build();
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
