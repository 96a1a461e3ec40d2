using EventHubThroughput.Clients;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace EventHubThroughput.Processing.Hosting;

/// <summary>Reads the connection settings, from the configuration of the host where there is one. Service Bus is asked for only by a sink that needs it.</summary>
internal sealed class HostedSettings(IServiceProvider provider, HostedSinks sinks)
{
    public SettingsResult Read(EventHubHostingOptions options)
    {
        if (options.Settings is { } given)
        {
            return new SettingsResult(given, []);
        }

        var scope = sinks.Describe(provider).Any(static sink => sink.NeedsServiceBus) ? SettingsScope.Consumer : SettingsScope.Processing;
        return MessagingSettings.FromEnvironment(
            provider.GetService<IConfiguration>() is { } configuration ? name => configuration[name] : Environment.GetEnvironmentVariable,
            scope
        );
    }
}
