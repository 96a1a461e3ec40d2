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

/// <summary>Registers processings of event hubs as services of a host.</summary>
public static class EventHubProcessingServices
{
    /// <summary>
    /// Processes an event hub for as long as the host runs. The host's stop drains it, within <see cref="EventHubHostingOptions.DrainLimit"/> and the host's
    /// shutdown time-out. A fault is logged, sets the exit code and fails the service. The host then stops, depending on its
    /// <c>BackgroundServiceExceptionBehavior</c>. A host may have several of them.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="name">The name of its options, its health check, its Azure clients among the services, and its configuration section.</param>
    /// <param name="section">The configuration section of its options. Null uses the section with the name, if the configuration of the host has one.</param>
    /// <returns>The builder for the handler and further options.</returns>
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
            registration.GetSection(provider.GetService<IConfiguration>())
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
