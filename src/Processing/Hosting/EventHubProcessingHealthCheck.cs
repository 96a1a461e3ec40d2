using EventHubThroughput.Events;
using EventHubThroughput.Processing.Hosting;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;

namespace EventHubThroughput.Processing;

/// <summary>
/// The health of the hosted processing: unhealthy after a fault; degraded before it has started, while events are held because a write
/// of them keeps failing, and when no partition has been owned for longer than <see cref="ProcessingOptions.OwnershipExpiry"/>.
/// Added by <c>services.AddHealthChecks().AddCheck&lt;EventHubProcessingHealthCheck&gt;("event-hub")</c>.
/// </summary>
public sealed class EventHubProcessingHealthCheck : IHealthCheck
{
    private readonly ProcessingState state;
    private readonly IOptions<EventHubHostingOptions> options;

    internal EventHubProcessingHealthCheck(ProcessingState state, IOptions<EventHubHostingOptions> options)
    {
        this.state = state;
        this.options = options;
    }

    /// <inheritdoc/>
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) => Task.FromResult(Check());

    private HealthCheckResult Check()
    {
        if (state.Fault is { } fault)
        {
            return HealthCheckResult.Unhealthy(fault);
        }

        if (state.Processing is not { } processing)
        {
            return HealthCheckResult.Degraded("not started");
        }

        if (processing.BlockedEvents is > 0 and var blocked)
        {
            return HealthCheckResult.Degraded($"{Counted.Of(blocked, "event")} held because a write keeps failing");
        }

        var expiry = options.Value.Processing.OwnershipExpiry;
        return state.OwnedNoneFor > expiry
            ? HealthCheckResult.Degraded($"no partition owned for {state.OwnedNoneFor.TotalSeconds:0} s")
            : HealthCheckResult.Healthy();
    }
}
