using System.Diagnostics.Metrics;
using EventHubThroughput.Hosting.Health;
using EventHubThroughput.Processing.Telemetry;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace EventHubThroughput.Hosting;

/// <summary>Processing event hubs as services of a host.</summary>
public static class EventHubProcessingServices
{
    /// <summary>
    /// Processes an event hub for as long as the host runs. The host's stop drains it, within <see cref="EventHubHostingOptions.DrainLimit"/> and
    /// the host's own time for shutting down. A fault is logged, sets the exit code and fails the service, whereupon the host stops unless
    /// its <c>BackgroundServiceExceptionBehavior</c> says otherwise. A host may have several of them.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="name">The name: of its options, its health check, its Azure clients among the services, and its configuration section.</param>
    /// <param name="section">The configuration section of its options. Null takes the section of the name, if the configuration of the host has one.</param>
    /// <returns>Takes the handler, and further choices.</returns>
    /// <exception cref="ArgumentException">The name is blank, or another processing has it.</exception>
    public static EventHubProcessingBuilder AddEventHubProcessing(this IServiceCollection services, string name, IConfigurationSection? section = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        if (services.Select(static service => service.ImplementationInstance).OfType<ProcessingRegistration>().Any(known => known.Has(name)))
        {
            throw new ArgumentException($"'{name}': a processing of this name exists. Each needs a unique name.", nameof(name));
        }

        var registration = new ProcessingRegistration(name, section);
        services.AddSingleton(registration);
        services.AddOptions<EventHubHostingOptions>(name).ValidateOnStart();
        services.TryAddSingleton(TimeProvider.System);
        services.TryAddSingleton<ProcessingStates>(static provider => new ProcessingStates(
            provider.GetServices<ProcessingRegistration>().Select(static one => one.Name),
            provider.GetRequiredService<TimeProvider>()
        ));
        services.TryAddSingleton(static provider => new ProcessingInstruments(provider.GetService<IMeterFactory>()));
        services.AddSingleton<IConfigureOptions<EventHubHostingOptions>>(provider => new SectionBinding(
            name,
            registration.SectionOf(provider.GetService<IConfiguration>())
        ));
        services.AddSingleton<IValidateOptions<EventHubHostingOptions>>(provider => new PlanReader(registration, provider));
        services.AddSingleton<IHostedService>(provider => new HostedProcessing(
            registration,
            new PlanReader(registration, provider),
            provider.GetRequiredService<IOptionsMonitor<EventHubHostingOptions>>(),
            provider.GetRequiredService<ProcessingStates>().Of(name),
            provider.GetRequiredService<ProcessingInstruments>(),
            provider.GetRequiredService<ILoggerFactory>()
        ));
        return new EventHubProcessingBuilder(services, registration);
    }
}
