using EventHubThroughput.Events;
using EventHubThroughput.Hosting.Health;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace EventHubThroughput.Hosting;

internal sealed class EventHubProcessingHealthCheck(ProcessingState state, EventHubHostingOptions options) : IHealthCheck
{
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
            return HealthCheckResult.Degraded($"{Plural.Format(blocked, "event")} blocked because a write keeps failing");
        }

        return state.OwnedNoneFor > options.OwnershipExpiry
            ? HealthCheckResult.Degraded($"no partition owned for {state.OwnedNoneFor.TotalSeconds:0} s")
            : HealthCheckResult.Healthy();
    }
}
