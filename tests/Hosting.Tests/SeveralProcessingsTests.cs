using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Tests.Doubles;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Xunit;

namespace EventHubThroughput.Hosting.Tests;

/// <summary>Two processings of one host: of one event hub, for two consumer groups.</summary>
public sealed class SeveralProcessingsTests : IDisposable
{
    private readonly HostBench bench = new HostBench().WithSection("One", group: "first").WithSection("Two", group: "second");
    private readonly OnePartition one = new(events: 3);
    private readonly OnePartition two = new(events: 2);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Each_has_its_handler_its_options_and_its_health()
    {
        var (first, second) = (new ConcurrentQueue<long>(), new ConcurrentQueue<long>());
        using var host = GetHost(received => first.Enqueue(received.SequenceNumber), received => second.Enqueue(received.SequenceNumber));
        await host.StartAsync(Cancellation);
        await one.GiveAsync().WaitAsync(Cancellation);
        await StartedAsync();

        bench.Clock.Advance(TimeSpan.FromSeconds(31));
        var report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Cancellation);
        await two.GiveAsync().WaitAsync(Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Equal((HealthStatus.Healthy, HealthStatus.Degraded), (report.Entries["one"].Status, report.Entries["two"].Status));
        Assert.Equal("no partition owned for 31 s", report.Entries["two"].Description);
        Assert.Equal(["ready"], report.Entries["two"].Tags);
        Assert.Equal((3, 2), (first.Count, second.Count));
    }

    [Fact]
    public async Task Measurements_differ_by_the_consumer_group()
    {
        ConcurrentDictionary<object, long> consumed = [];
        using var host = GetHost(static _ => { }, static _ => { });
        var meters = host.Services.GetRequiredService<IMeterFactory>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listening) =>
            {
                if (instrument.Name == "messaging.client.consumed.messages" && instrument.Meter.Scope == meters)
                {
                    listening.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>(
            (_, value, tags, _) => consumed.AddOrUpdate(GetValue(tags, "messaging.consumer.group.name"), value, (_, before) => before + value)
        );
        listener.Start();

        await host.StartAsync(Cancellation);
        await Task.WhenAll(one.GiveAsync(), two.GiveAsync()).WaitAsync(Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Equal([("first", 3L), ("second", 2L)], consumed.Select(static pair => ((string)pair.Key, pair.Value)).Order());
    }

    [Fact]
    public async Task Lines_of_the_log_differ_by_their_scope()
    {
        using var scopes = new ScopeProvider();
        using var loggers = LoggerFactory.Create(logging => logging.AddProvider(scopes));
        bench.Application.Services.AddSingleton<ILoggerFactory>(loggers);
        Add("one", "One", one, static _ => { });
        Add("two", "Two", two, static _ => { });
        using var host = bench.Application.Build();

        await host.StartAsync(Cancellation);
        await Task.WhenAll(one.GiveAsync(), two.GiveAsync()).WaitAsync(Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Equal(
            ["processing one: hub in first", "processing two: hub in second"],
            scopes.Lines.Where(static line => line.Event == "Taken").Select(static line => line.Scope).Order(StringComparer.Ordinal)
        );
        Assert.DoesNotContain(scopes.Lines, static line => line.Category == HostBench.Category && line.Scope.Length == 0);
    }

    [Fact]
    public async Task The_fault_of_one_stops_the_host_which_drains_the_other()
    {
        using var host = GetHost(static _ => throw new MessagingException(FailureKind.Permanent, "no such table"), static _ => { });
        var stopping = new TaskCompletionSource();
        host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping.Register(stopping.SetResult);
        await host.StartAsync(Cancellation);
        await two.GiveAsync().WaitAsync(Cancellation);

        _ = one.GiveAsync();
        await stopping.Task.WaitAsync(Cancellation);
        var report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Equal(HealthStatus.Unhealthy, report.Entries["one"].Status);
        Assert.NotEqual(HealthStatus.Unhealthy, report.Entries["two"].Status);
        Assert.Equal(1, two.Stored);
    }

    [Theory]
    [InlineData("orders")]
    [InlineData("Orders")]
    public void A_name_is_given_once(string second)
    {
        var services = new ServiceCollection();
        services.AddEventHubProcessing("orders");

        var refused = Assert.Throws<ArgumentException>(() => services.AddEventHubProcessing(second));

        Assert.StartsWith($"'{second}': a processing of this name exists.", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_health_check_of_a_name_that_no_processing_has_names_those_that_there_are()
    {
        bench.Application.Services.AddHealthChecks().AddEventHubProcessing("three");
        using var host = GetHost(static _ => { }, static _ => { });

        var refused = await Assert.ThrowsAsync<InvalidOperationException>(() =>
            host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Cancellation)
        );

        Assert.Equal("The services have no processing 'three'. They have: one, two.", refused.Message);
    }

    public void Dispose() => bench.Dispose();

    private static object GetValue(ReadOnlySpan<KeyValuePair<string, object?>> tags, string name)
    {
        foreach (var (key, value) in tags)
        {
            if (key == name)
            {
                return value!;
            }
        }

        return "";
    }

    private async Task StartedAsync()
    {
        foreach (var group in (string[])["first", "second"])
        {
            await bench.Log.FirstAsync(line => line.Message.StartsWith($"'hub' in {group}: processed as", StringComparison.Ordinal), Cancellation);
        }
    }

    private IHost GetHost(Action<ReceivedEvent> first, Action<ReceivedEvent> second)
    {
        Add("one", "One", one, first);
        Add("two", "Two", two, second);
        bench.Application.Services.AddHealthChecks().AddEventHubProcessing("one").AddEventHubProcessing("two", "ready");
        return bench.Build();
    }

    private void Add(string name, string section, OnePartition hub, Action<ReceivedEvent> handle) =>
        bench
            .Add(hub, name, section)
            .Handle(
                (received, _) =>
                {
                    handle(received);
                    return ValueTask.CompletedTask;
                }
            );

    /// <summary>Keeps each line with the scopes around it.</summary>
    private sealed class ScopeProvider : ILoggerProvider, ISupportExternalScope
    {
        private IExternalScopeProvider? scopes;

        public ConcurrentQueue<(string Category, string? Event, string Scope)> Lines { get; } = [];

        public void SetScopeProvider(IExternalScopeProvider scopeProvider) => scopes = scopeProvider;

        public ILogger CreateLogger(string categoryName) => new Category(this, categoryName);

        public void Dispose()
        {
            // It holds nothing.
        }

        private sealed class Category(ScopeProvider provider, string name) : ILogger
        {
            public IDisposable? BeginScope<TState>(TState state)
                where TState : notnull => null;

            public bool IsEnabled(LogLevel logLevel) => true;

            public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            {
                List<string> around = [];
                provider.scopes!.ForEachScope((scope, texts) => texts.Add($"{scope}"), around);
                provider.Lines.Enqueue((name, eventId.Name, string.Join(" > ", around)));
            }
        }
    }
}
