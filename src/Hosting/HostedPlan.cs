using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Hosting;

/// <summary>What the options of a processing come to, when nothing is wrong with them.</summary>
internal sealed record HostedPlan
{
    public required MessagingSettings Settings { get; init; }

    /// <summary>The Azure clients of the services. Only the official family uses them.</summary>
    public required GivenClients Azure { get; init; }

    public required ProcessingOptions Processing { get; init; }

    public required IReadOnlyList<SinkDescriptor> Sinks { get; init; }
}
