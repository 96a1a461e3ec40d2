using EventHubThroughput.Hosting.Health;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;

namespace EventHubThroughput.Hosting;

/// <summary>The health of the processings of a host.</summary>
public static class EventHubHealthChecks
{
    /// <summary>
    /// Adds a check of one processing, under its name. It is unhealthy after a fault. It is degraded before it has started, and while events are held because
    /// a write of them keeps failing. It is also degraded when no partition has been owned for longer than
    /// <see cref="EventHubHostingOptions.OwnershipExpiry"/>.
    /// </summary>
    /// <param name="builder">The health checks of the host.</param>
    /// <param name="name">The name of the processing, which is also that of the check.</param>
    /// <param name="tags">The tags of the check, by which an endpoint may select it.</param>
    /// <returns>The same health checks.</returns>
    /// <remarks>If the services have no processing of the name, each check throws <see cref="InvalidOperationException"/>.</remarks>
    public static IHealthChecksBuilder AddEventHubProcessing(this IHealthChecksBuilder builder, string name, params IEnumerable<string> tags)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        return builder.Add(
            new HealthCheckRegistration(
                name,
                provider => new EventHubProcessingHealthCheck(
                    (
                        provider.GetService<ProcessingStates>()
                        ?? throw new InvalidOperationException($"The services have no processing '{name}'. Add it with AddEventHubProcessing.")
                    ).Of(name),
                    provider.GetRequiredService<IOptionsMonitor<EventHubHostingOptions>>().Get(name)
                ),
                failureStatus: null,
                tags
            )
        );
    }
}
