using System.Collections.Frozen;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>
/// The requests of a peer for a link in addition to its address. Unsupported ones are refused. Otherwise the client would assume that they took effect.
/// Properties of other vendors identify the client and are ignored.
/// </summary>
internal static class LinkRequirements
{
    private const string VendorPrefix = "com.microsoft:";
    private const string CopyMode = "copy";

    // Supported, or without effect on transfers: the identity of the client, and its time limits.
    private static readonly FrozenSet<string> Properties = FrozenSet.Create(
        StringComparer.Ordinal,
        AmqpNames.Epoch,
        AmqpNames.ReceiverName,
        AmqpNames.EntityType,
        AmqpNames.Timeout,
        "com.microsoft:batch-flush-interval",
        "com.microsoft:client-id",
        "com.microsoft:tracking-id"
    );

    /// <summary>The refusal of a link, or null.</summary>
    /// <param name="request">The link.</param>
    /// <param name="filters">The supported filters.</param>
    public static AmqpError? Refusal(LinkRequest request, params IReadOnlyCollection<string> filters)
    {
        foreach (var (key, _) in request.Attach.Properties ?? [])
        {
            if (GetName(key) is { } name && name.StartsWith(VendorPrefix, StringComparison.Ordinal) && !Properties.Contains(name))
            {
                return Refusals.NotSupported($"The link property '{Shown(name)}' is");
            }
        }

        if (request.PeerIsSender)
        {
            return null;
        }

        foreach (var (key, _) in request.Attach.Source?.Filter ?? [])
        {
            if (GetName(key) is var name && (name is null || !filters.Contains(name)))
            {
                return Refusals.NotSupported($"The filter '{Shown(name ?? key.ToString()!)}' is");
            }
        }

        // The link would remove messages that the peer only wants to browse.
        return request.Attach.Source?.DistributionMode?.Value == CopyMode ? Refusals.NotSupported($"The distribution mode '{CopyMode}' is") : null;
    }

    private static string? GetName(object key) =>
        key switch
        {
            AmqpSymbol symbol => symbol.Value,
            string text => text,
            _ => null,
        };

    private static string Shown(string name) => name.Length <= 100 ? name : name[..100] + "...";
}
