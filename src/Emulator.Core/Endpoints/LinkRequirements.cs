using System.Collections.Frozen;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Endpoints;

/// <summary>
/// What a peer asks of a link beside its address. What is not understood is refused: a client that was given the link would take it as heeded.
/// Properties of other makers say who the client is, and are left alone.
/// </summary>
internal static class LinkRequirements
{
    private const string VendorPrefix = "com.microsoft:";
    private const string CopyMode = "copy";

    // Understood, or without effect on what passes: which client it is, and how long it waits for what.
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
    /// <param name="filters">The filters that are understood there.</param>
    public static AmqpError? Refusal(LinkRequest request, params IReadOnlyCollection<string> filters)
    {
        foreach (var (key, _) in request.Attach.Properties ?? [])
        {
            if (NameOf(key) is { } name && name.StartsWith(VendorPrefix, StringComparison.Ordinal) && !Properties.Contains(name))
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
            if (NameOf(key) is var name && (name is null || !filters.Contains(name)))
            {
                return Refusals.NotSupported($"The filter '{Shown(name ?? key.ToString()!)}' is");
            }
        }

        // Messages would be taken that the peer only wants to see.
        return request.Attach.Source?.DistributionMode?.Value == CopyMode ? Refusals.NotSupported($"The distribution mode '{CopyMode}' is") : null;
    }

    private static string? NameOf(object key) =>
        key switch
        {
            AmqpSymbol symbol => symbol.Value,
            string text => text,
            _ => null,
        };

    private static string Shown(string name) => name.Length <= 100 ? name : name[..100] + "...";
}
