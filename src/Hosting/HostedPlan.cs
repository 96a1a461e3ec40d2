using EventHubThroughput.Clients;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Hosting;

/// <summary>What the options of a processing come to, when nothing is wrong with them.</summary>
internal sealed record HostedPlan
{
    public required MessagingSettings Settings { get; init; }

    /// <summary>The clients of the services that the official family is given; others have none.</summary>
    public required AzureClients Azure { get; init; }

    public required ProcessingOptions Processing { get; init; }

    public required IReadOnlyList<SinkDescriptor> Sinks { get; init; }
}
