using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure.Administration;
using EventHubThroughput.Lab.Diagnosing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Services;

/// <summary>Creates and deletes entities on the services of the settings. A failure names the entity, the missing right and what the user can do.</summary>
internal sealed class EntityServices : IDisposable
{
    private readonly MessagingSettings settings;
    private readonly ServiceAdministration administration;

    public EntityServices(MessagingSettings settings, TimeProvider clock)
    {
        this.settings = settings;
        administration = new ServiceAdministration(settings, new RetryOptions(), clock);
    }

    /// <summary>Creates an entity. One that exists and has this owner was created by an earlier try.</summary>
    /// <exception cref="FailureException">It exists and has another owner, or it cannot be created.</exception>
    public Task CreateAsync(ServiceEntity entity, string owner, CancellationToken cancellationToken) =>
        RunAsync(
            entity,
            async of =>
            {
                try
                {
                    await of.CreateAsync(entity.Name, owner, cancellationToken);
                }
                catch (MessagingException exists) when (exists.Kind == FailureKind.Conflict)
                {
                    if (await of.FindOwnerAsync(entity.Name, cancellationToken) != owner)
                    {
                        throw;
                    }
                }
            }
        );

    /// <summary>Deletes an entity of this owner. A missing one counts as deleted.</summary>
    /// <exception cref="FailureException">It has another owner, or it cannot be deleted.</exception>
    public Task DeleteAsync(ServiceEntity entity, string owner, CancellationToken cancellationToken) =>
        RunAsync(
            entity,
            async of =>
            {
                var found = await of.FindOwnerAsync(entity.Name, cancellationToken);
                if (found is not null && found != owner)
                {
                    throw new MessagingException(FailureKind.Conflict, $"{of.GetSubject(entity.Name)} was not created by '{owner}'");
                }

                await (found is null ? Task.CompletedTask : of.DeleteAsync(entity.Name, cancellationToken));
            }
        );

    public void Dispose() => administration.Dispose();

    private async Task RunAsync(ServiceEntity entity, Func<EntityAdministration, Task> operation)
    {
        var of = GetAdministration(entity);
        try
        {
            await operation(of);
        }
        catch (MessagingException refused)
        {
            var subject = of.GetSubject(entity.Name);
            var result = GetNeed(entity, subject).GetFailure(subject, refused);
            throw new FailureException(FailureCause.Dependency, $"{result.Text}. Cure: {result.Cure}", refused);
        }
    }

    private EntityAdministration GetAdministration(ServiceEntity entity) =>
        entity.Kind switch
        {
            EntityKind.ConsumerGroup => administration.ConsumerGroups,
            EntityKind.Queue => administration.Queues,
            EntityKind.Topic => administration.Topics,
            EntityKind.Subscription => administration.GetSubscriptions(entity.Topic!),
            _ => administration.Containers,
        };

    private AccessNeed GetNeed(ServiceEntity entity, string subject)
    {
        const string instead = "or name entities that exist with --entities FILE";
        const string missing = "create it, and start again";
        if (entity.Kind == EntityKind.Container)
        {
            return new AccessNeed(subject, "the right to create and delete containers", "Storage Blob Data Contributor")
            {
                KeyCure = settings.GetAddress(ProbedService.Storage).KeyName is null ? null : $"copy the key of the storage account again, {instead}",
                Creation = missing,
            };
        }

        var (service, role) =
            entity.Kind == EntityKind.ConsumerGroup
                ? (settings.GetAddress(ProbedService.EventHubs), "Azure Event Hubs Data Owner")
                : (settings.GetAddress(ProbedService.ServiceBus), "Azure Service Bus Data Owner");
        return new AccessNeed($"the namespace '{service.Host}'", "the right Manage", role)
        {
            KeyCure = service.KeyName is null ? null : $"give the policy '{service.KeyName}' the right Manage on the namespace '{service.Host}', {instead}",
            Creation = entity.Kind == EntityKind.ConsumerGroup ? $"create the event hub '{settings.EventHubName}', or correct EVENTHUB_NAME" : missing,
        };
    }
}
