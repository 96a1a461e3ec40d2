using System.Runtime.CompilerServices;
using EventHubThroughput.Clients;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>Checks all that a consumer needs of its services, one result after another.</summary>
/// <param name="settings">The services.</param>
/// <param name="clients">The clients, which also probe.</param>
/// <param name="network">The network.</param>
/// <param name="clock">The difference of the storage clock, which the clients have reported.</param>
/// <param name="limit">The time of each wait.</param>
internal sealed class ServiceDiagnosis(MessagingSettings settings, IMessagingClients clients, INetwork network, StorageClock clock, CheckLimit limit)
{
    private readonly IAccessProbe probe =
        clients as IAccessProbe ?? throw new ArgumentException($"{clients.GetType().Name} cannot probe access", nameof(clients));

    /// <summary>Whether queue and containers of the settings are left out, because they are not used.</summary>
    public bool IsOfHub { get; init; }

    // What is unreachable or has no token would fail again, each after a wait.
    private readonly Dictionary<ProbedService, string> blocked = [];

    public async IAsyncEnumerable<CheckResult> RunAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        yield return CheckResult.Ok("settings", Describe());
        await foreach (var result in CheckEndpointsAsync(cancellationToken))
        {
            yield return result;
        }

        foreach (var service in Enum.GetValues<ProbedService>())
        {
            yield return await CheckTokenAsync(service, cancellationToken);
        }

        await foreach (var result in CheckRightsAsync(cancellationToken))
        {
            yield return result;
        }

        yield return clock.Check();
        yield return CheckResult.Skipped("quotas", "the capacity of the services is not visible to a consumer, the portal shows it");
    }

    private async IAsyncEnumerable<CheckResult> CheckEndpointsAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var checks = new EndpointChecks(network, limit);
        foreach (var endpoint in ServiceEndpoint.Of(settings))
        {
            await foreach (var result in checks.RunAsync(endpoint, cancellationToken))
            {
                if (result.Outcome == CheckOutcome.Failed)
                {
                    Block(endpoint.Services, "no connection");
                }

                yield return result;
            }
        }
    }

    private async Task<CheckResult> CheckTokenAsync(ProbedService service, CancellationToken cancellationToken)
    {
        var result = await new TokenChecks(settings, probe, limit).RunAsync(service, cancellationToken);
        if (result.Outcome == CheckOutcome.Failed)
        {
            Block([service], "no token");
        }

        return result;
    }

    private async IAsyncEnumerable<CheckResult> CheckRightsAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (blocked.TryGetValue(ProbedService.EventHubs, out var reason))
        {
            yield return CheckResult.Skipped("event hub", $"'{settings.EventHubName}': {reason}");
        }
        else
        {
            await foreach (var result in new HubChecks(settings, clients, probe, limit).RunAsync(cancellationToken))
            {
                yield return result;
            }
        }

        if (IsOfHub)
        {
            yield break;
        }

        yield return blocked.TryGetValue(ProbedService.ServiceBus, out reason)
            ? CheckResult.Skipped(settings.Queue is null ? "topic" : "queue", $"'{settings.MessageEntity}': {reason}")
            : await new QueueCheck(settings, probe, limit).RunAsync(cancellationToken);
        foreach (var (container, variable) in GetContainers())
        {
            yield return blocked.TryGetValue(ProbedService.Storage, out reason)
                ? CheckResult.Skipped("container", $"'{container}': {reason}")
                : await CheckContainerAsync(container, variable, cancellationToken);
        }
    }

    private Task<CheckResult> CheckContainerAsync(string container, string variable, CancellationToken cancellationToken) =>
        new ContainerCheck(
            clients.GetBlobContainer(container),
            $"eht-doctor-{Guid.NewGuid():n}",
            variable,
            hasKey: settings.GetAddress(ProbedService.Storage).KeyName is not null,
            limit
        ).RunAsync(cancellationToken);

    private (string Container, string Variable)[] GetContainers() =>
        [
            (settings.ArchiveContainer, "STORAGE_CONTAINER"),
            (settings.CheckpointContainer, "CHECKPOINT_CONTAINER"),
            (settings.DeadLetterContainer, "DEADLETTER_CONTAINER"),
        ];

    private void Block(IEnumerable<ProbedService> services, string reason)
    {
        foreach (var service in services)
        {
            blocked.TryAdd(service, reason);
        }
    }

    private string Describe() =>
        $"event hub '{settings.EventHubName}' of {Describe(ProbedService.EventHubs)}, "
        + $"{(settings.Queue is null ? "topic" : "queue")} '{settings.MessageEntity}' of {Describe(ProbedService.ServiceBus)}, "
        + $"storage {Describe(ProbedService.Storage)}";

    private string Describe(ProbedService service)
    {
        var address = settings.GetAddress(service);
        return $"{address.Host} ({(address.KeyName is null ? "Entra ID" : "key")})";
    }
}
