using System.Diagnostics.Metrics;
using EventHubThroughput.Processing.Hosting;
using EventHubThroughput.Processing.Telemetry;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace EventHubThroughput.Processing;

/// <summary>Processing as a service of a host.</summary>
public static class EventHubProcessingServices
{
    /// <summary>
    /// Processes an event hub for as long as the host runs. The host's stop drains it, within <see cref="ProcessingOptions.DrainLimit"/> and
    /// the host's own time for shutting down; a fault is logged, sets the exit code and fails the service, whereupon the host stops unless
    /// its <c>BackgroundServiceExceptionBehavior</c> says otherwise. One processing a host: a second call adds to the first.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Changes the options; null for every default.</param>
    /// <returns>Says where the events go.</returns>
    public static EventHubProcessingBuilder AddEventHubProcessing(this IServiceCollection services, Action<EventHubHostingOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        var sinks = services.Select(service => service.ImplementationInstance).OfType<HostedSinks>().FirstOrDefault();
        if (sinks is null)
        {
            sinks = new HostedSinks();
            services.AddSingleton(sinks);
            services.AddOptions<EventHubHostingOptions>().ValidateOnStart();
            services.TryAddSingleton(TimeProvider.System);
            services.AddSingleton<HostedSettings>();
            services.AddSingleton<IValidateOptions<EventHubHostingOptions>, HostedProblems>();
            services.AddSingleton<ProcessingState>();
            services.AddSingleton(static provider => new ProcessingInstruments(provider.GetService<IMeterFactory>()));
            services.AddSingleton(static provider => new EventHubProcessingHealthCheck(
                provider.GetRequiredService<ProcessingState>(),
                provider.GetRequiredService<IOptions<EventHubHostingOptions>>()
            ));
            services.AddHostedService<HostedProcessing>();
        }

        var builder = new EventHubProcessingBuilder(services, sinks);
        return configure is null ? builder : builder.Configure(configure);
    }
}
