using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Limits;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>An emulator in this process, and clients of it with short waits.</summary>
internal sealed class EmulatedServices : IAsyncDisposable
{
    public static readonly RetryOptions ShortRetries = new()
    {
        FirstDelay = TimeSpan.FromMilliseconds(5),
        MaximumDelay = TimeSpan.FromMilliseconds(50),
        UnreachableLimit = TimeSpan.FromSeconds(20),
    };

    private readonly EmulatorHost host;
    private readonly List<IAsyncDisposable> owned = [];

    private EmulatedServices(EmulatorHost host) => this.host = host;

    public MessagingSettings Settings { get; private init; } = null!;

    public static async Task<EmulatedServices> StartAsync(
        CancellationToken cancellationToken,
        int partitions = 4,
        TimeSpan? lockDuration = null,
        FaultRule? fault = null,
        TimeProvider? timeProvider = null,
        EmulatorLimits? limits = null,
        string? journal = null
    )
    {
        var started = await EmulatorHost.StartAsync(
            new EmulatorOptions
            {
                Faults = fault is null ? [] : [fault],
                TimeProvider = timeProvider ?? TimeProvider.System,
                Limits = limits ?? new EmulatorLimits(),
                JournalPath = journal,
                Entities = EntitySet.Default with
                {
                    Hubs = [new HubSettings("hub") { Partitions = partitions }],
                    Queues = [new QueueSettings("queue") { LockDuration = lockDuration ?? TimeSpan.FromSeconds(30) }],
                },
            },
            cancellationToken
        );
        var read = MessagingSettings.FromEnvironment(started.Settings.GetValueOrDefault, SettingsScope.Consumer);
        return new EmulatedServices(started) { Settings = read.Settings ?? throw new InvalidOperationException(string.Join('\n', read.Problems)) };
    }

    /// <summary>Settings with one variable changed.</summary>
    public MessagingSettings With(string variable, Func<string, string> change) => With((variable, change));

    /// <summary>Settings in which services are reached through proxies.</summary>
    public MessagingSettings Through(params (string Variable, CuttableProxy Proxy)[] proxies) =>
        With([
            .. proxies.Select(static one =>
                (one.Variable, (Func<string, string>)(text => text.Replace($":{one.Proxy.ServicePort}", $":{one.Proxy.Port}", StringComparison.Ordinal)))
            ),
        ]);

    private MessagingSettings With(params (string Variable, Func<string, string> Change)[] changes)
    {
        var variables = new Dictionary<string, string>(host.Settings, StringComparer.Ordinal);
        foreach ((var variable, var change) in changes)
        {
            variables[variable] = change(variables[variable]);
        }

        var read = MessagingSettings.FromEnvironment(variables.GetValueOrDefault, SettingsScope.Consumer);
        return read.Settings ?? throw new InvalidOperationException(string.Join('\n', read.Problems));
    }

    /// <summary>Clients that are disposed with this, before the emulator.</summary>
    public BuiltInClients CreateClients(
        MessagingSettings? settings = null,
        RetryOptions? retry = null,
        TimeSpan? tokenLifetime = null,
        Action<string>? notice = null,
        ILoggerFactory? log = null,
        TimeProvider? timeProvider = null
    )
    {
        var clients = new BuiltInClients(
            settings ?? Settings,
            new BuiltInClientOptions
            {
                Retry = retry ?? ShortRetries,
                Seed = 1,
                Notice = notice,
                LoggerFactory = log,
                TimeProvider = timeProvider ?? TimeProvider.System,
                TokenLifetime = tokenLifetime ?? TimeSpan.FromMinutes(30),
            }
        );
        owned.Add(clients);
        return clients;
    }

    /// <summary>Clients of a family that are disposed with this, before the emulator.</summary>
    public IMessagingClients Connect(ClientFamily family, MessagingSettings? settings = null, RetryOptions? retry = null)
    {
        var clients = family.Connect(settings ?? Settings, new ClientOptions { Retry = retry ?? ShortRetries });
        owned.Add(clients);
        return clients;
    }

    public void Own(IAsyncDisposable disposable) => owned.Add(disposable);

    public async ValueTask DisposeAsync()
    {
        for (var index = owned.Count - 1; index >= 0; index--)
        {
            await owned[index].DisposeAsync();
        }

        await host.DisposeAsync();
    }
}
