using System.Net;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.Amqp;
using EventHubThroughput.Emulator.Authorization;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.ServiceBus;

namespace EventHubThroughput.Emulator;

/// <summary>
/// The ports of the messaging services: one each, or a shared one if the same port was requested twice. Some clients support only port 5672 and need the shared
/// one. A further port with TLS serves both.
/// </summary>
internal sealed class MessagingEndpoints : IAsyncDisposable
{
    private readonly EmulatorOptions _options;
    private readonly PortChoice _ports;
    private readonly EndpointContext _context;

    // By the name in statistics. Filled during the start. All entries are disposed.
    private readonly List<(string Name, AmqpListener Listener)> _listeners = [];

    private MessagingEndpoints(EmulatorOptions options, PortChoice ports, EndpointContext context)
    {
        (_options, _ports, _context) = (options, ports, context);
    }

    public IPEndPoint EventHubs => _listeners[0].Listener.LocalEndPoint;

    /// <summary>The same as that of Event Hubs when both share it.</summary>
    public IPEndPoint ServiceBus { get; private set; } = new(IPAddress.None, 0);

    /// <summary>The address with TLS. Null when it was not requested.</summary>
    public IPEndPoint? Encrypted { get; private set; }

    /// <summary>Open connections by port.</summary>
    public IReadOnlyList<(string Endpoint, int Count)> Connections => [.. _listeners.Select(static one => (one.Name, one.Listener.Connections.Count))];

    /// <exception cref="EmulatorException">A port is in use.</exception>
    public static async Task<MessagingEndpoints> StartAsync(
        EmulatorOptions options,
        PortChoice ports,
        EndpointContext context,
        EventHubRegistry hubs,
        ServiceBusRegistry queues,
        DevelopmentCertificate? certificate
    )
    {
        var endpoints = new MessagingEndpoints(options, ports, context);
        try
        {
            await endpoints.StartAsync(hubs, queues, certificate);
            return endpoints;
        }
        catch
        {
            await endpoints.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        // Concurrently, because each waits for its peers.
        await Task.WhenAll(_listeners.Select(static one => one.Listener.DisposeAsync().AsTask()));
    }

    private async Task StartAsync(EventHubRegistry hubs, ServiceBusRegistry queues, DevelopmentCertificate? certificate)
    {
        var (hubLinks, queueLinks) = (new EventHubsLinks(hubs), new ServiceBusLinks(queues));
        var bothLinks = new BothServicesLinks(hubs, hubLinks, queueLinks);
        if (_ports.Agree((EmulatorSetting.EventHubsPort, _options.EventHubsPort), (EmulatorSetting.ServiceBusPort, _options.ServiceBusPort)))
        {
            // A requested port is never replaced by a free one, for either service.
            var (setting, asked) =
                _options.EventHubsPort == 0 && _options.ServiceBusPort != 0
                    ? (EmulatorSetting.ServiceBusPort, _options.ServiceBusPort)
                    : (EmulatorSetting.EventHubsPort, _options.EventHubsPort);
            ServiceBus = await ListenAsync(setting, asked, "both", "both", bothLinks);
            _ports.Took(EmulatorSetting.EventHubsPort, ServiceBus.Port);
            _ports.Took(EmulatorSetting.ServiceBusPort, ServiceBus.Port);
        }
        else
        {
            await ListenAsync(EmulatorSetting.EventHubsPort, _options.EventHubsPort, "eventhubs", "eventhubs", hubLinks);
            ServiceBus = await ListenAsync(EmulatorSetting.ServiceBusPort, _options.ServiceBusPort, "servicebus", "servicebus", queueLinks);
        }

        if (_options.TlsPort is { } tlsPort)
        {
            Encrypted = await ListenAsync(EmulatorSetting.TlsPort, tlsPort, "tls", "both", bothLinks, certificate!.Certificate);
        }
    }

    private async Task<IPEndPoint> ListenAsync(
        EmulatorSetting setting,
        int asked,
        string name,
        string containerId,
        IServiceLinks links,
        X509Certificate2? certificate = null
    )
    {
        var options = new AmqpListenerOptions
        {
            Address = _options.Host,
            ContainerId = containerId,
            Certificate = certificate,
        };
        var listener = await _ports.ListenAsync(setting, asked, port => Task.FromResult(AmqpEndpoint.Listen(options with { Port = port }, links, _context)));
        _listeners.Add((name, listener));
        _ports.Took(setting, listener.LocalEndPoint.Port);
        return listener.LocalEndPoint;
    }
}
