using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>Checks whether the event hub and each of its partitions can be read by the consumer group.</summary>
/// <param name="settings">The event hub.</param>
/// <param name="hubs">The clients.</param>
/// <param name="probe">Opens the links.</param>
/// <param name="limit">The time of each wait.</param>
internal sealed class HubChecks(MessagingSettings settings, IEventHubClients hubs, IAccessProbe probe, CheckLimit limit)
{
    private const string Hub = "event hub";
    private const string Partitions = "partitions";
    private const string Role = "Azure Event Hubs Data Receiver";

    // Links that are opened concurrently. A hub may have a thousand partitions.
    private const int MostLinks = 16;

    /// <summary>The hub, then its partitions. Without the first the others are unknown.</summary>
    public async IAsyncEnumerable<CheckResult> RunAsync([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var (result, ids) = await GetPartitionsAsync(cancellationToken);
        yield return result;
        if (ids is null)
        {
            yield return CheckResult.Skipped(Partitions, "they are not known");
            yield break;
        }

        List<(string Id, MessagingException? Failure)> found = [];
        foreach (var some in ids.Chunk(MostLinks))
        {
            found.AddRange(await Task.WhenAll(some.Select(id => OpenAsync(id, cancellationToken))));
        }

        foreach (var line in Summarise(found))
        {
            yield return line;
        }
    }

    private async Task<(CheckResult Result, IReadOnlyList<string>? Ids)> GetPartitionsAsync(CancellationToken cancellationToken)
    {
        var name = settings.EventHubName;
        try
        {
            var properties = await limit.RunAsync(hubs.GetEventHubPropertiesAsync, cancellationToken);
            var count = properties.PartitionIds.Count;
            return (CheckResult.Ok(Hub, $"'{name}' has {Plural.Format(count, "partition")}, which limit the processors"), properties.PartitionIds);
        }
        catch (MessagingException failure)
        {
            return (GetNeed($"event hub '{name}'", "create the event hub, or correct EVENTHUB_NAME").GetFailure(Hub, failure), null);
        }
    }

    // Its properties need the right to ask, its link the right to read and the consumer group.
    private async Task<(string Id, MessagingException? Failure)> OpenAsync(string id, CancellationToken cancellationToken)
    {
        try
        {
            await limit.RunAsync(token => hubs.GetPartitionPropertiesAsync(id, token), cancellationToken);
            await limit.RunAsync(token => probe.OpenPartitionAsync(id, token), cancellationToken);
            return (id, null);
        }
        catch (MessagingException failure)
        {
            return (id, failure.Kind == FailureKind.OwnershipLost ? null : failure);
        }
    }

    private IEnumerable<CheckResult> Summarise(List<(string Id, MessagingException? Failure)> found)
    {
        var group = settings.ConsumerGroup;
        var readable = found.Count(static one => one.Failure is null);
        if (readable > 0)
        {
            yield return CheckResult.Ok(
                Partitions,
                string.Create(CultureInfo.InvariantCulture, $"{readable} of {found.Count} can be read by the consumer group '{group}'")
            );
        }

        var need = GetNeed(
            $"event hub '{settings.EventHubName}'",
            $"create the consumer group '{group}' of event hub '{settings.EventHubName}', or correct EVENTHUB_CONSUMER_GROUP"
        );
        foreach (var same in found.Where(static one => one.Failure is not null).GroupBy(static one => (one.Failure!.Kind, one.Failure.Message)))
        {
            var ids = string.Join(", ", same.Select(static one => one.Id));
            var failed = need.GetFailure(Partitions, same.First().Failure!);
            yield return failed with
            {
                Text = $"{ids} in the consumer group '{group}': {failed.Text}",
            };
        }
    }

    private AccessNeed GetNeed(string entity, string creation) =>
        AccessNeed.OfMessaging(entity, "Listen", Role, settings.GetAddress(ProbedService.EventHubs).KeyName, creation);
}
