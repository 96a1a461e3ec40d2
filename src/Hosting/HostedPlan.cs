using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Hosting;

/// <summary>The result of valid options of a processing.</summary>
internal sealed record HostedPlan
{
    public required MessagingSettings Settings { get; init; }

    /// <summary>The Azure clients among the services. Only the official family uses them.</summary>
    public required GivenClients Azure { get; init; }

    public required ProcessingOptions Processing { get; init; }

    public required IReadOnlyList<SinkDescriptor> Sinks { get; init; }
}
