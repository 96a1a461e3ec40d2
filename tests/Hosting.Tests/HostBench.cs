using EventHubThroughput.Clients;
using EventHubThroughput.Processing.Tests.Doubles;
using EventHubThroughput.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Hosting.Tests;

/// <summary>A host with a log and a clock of the test, and the configuration that each processing reads.</summary>
internal sealed class HostBench : IDisposable
{
    /// <summary>A key that no message may hold.</summary>
    public const string Secret = "c2VjcmV0LXRoYXQtbm9ib2R5LXNlZXM=";

    public const string Category = "EventHubThroughput.Processing";

    public const string HubConnection = $"Endpoint=sb://127.0.0.1;SharedAccessKeyName=Root;SharedAccessKey={Secret};UseDevelopmentEmulator=true";

    public const string StorageConnection = $"AccountName=account;AccountKey={Secret};BlobEndpoint=http://127.0.0.1:10000/account;";

    public HostBench() => Application.Services.AddSingleton<TimeProvider>(Clock);

    public LogRecorder Log { get; } = new();

    public VirtualClock Clock { get; } = new();

    public HostApplicationBuilder Application { get; } = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());

    /// <summary>Sets keys of the configuration.</summary>
    public HostBench With(params IEnumerable<(string Key, string? Value)> keys)
    {
        Application.Configuration.AddInMemoryCollection(keys.Select(static one => KeyValuePair.Create(one.Key, one.Value)));
        return this;
    }

    /// <summary>Sets what a section needs: the connections and the event hub.</summary>
    public HostBench WithSection(string section = "Orders", string hub = "hub", string group = "$Default") =>
        With(
            ($"{section}:ConnectionString", HubConnection),
            ($"{section}:EventHubName", hub),
            ($"{section}:ConsumerGroup", group),
            ($"{section}:StorageConnectionString", StorageConnection)
        );

    /// <summary>Adds a processing of the section <c>Orders</c>, or of another one, whose clients are those of a test.</summary>
    public EventHubProcessingBuilder Add(IMessagingClients clients, string name = "orders", string section = "Orders") =>
        Application
            .Services.AddEventHubProcessing(name, Application.Configuration.GetSection(section))
            .UseClients(GetFamily(clients))
            .Configure(static options => options.ExitCodeOnFault = null);

    public IHost Build()
    {
        Application.Services.AddSingleton<ILoggerFactory>(Log);
        return Application.Build();
    }

    public static ClientFamily GetFamily(IMessagingClients clients) => new("test", (_, _) => clients);

    public void Dispose() => Log.Dispose();
}
