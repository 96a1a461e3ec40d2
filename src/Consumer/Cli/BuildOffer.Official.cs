using EventHubThroughput.OfficialPackages;
using EventHubThroughput.OfficialPackages.Metrics;
using EventHubThroughput.OfficialPackages.Strategies;

namespace EventHubThroughput.Consumer.Cli;

internal sealed partial class BuildOffer
{
    partial void AddOfficialPackages()
    {
        clients.Add(OfficialClients.Family);
        strategies.Add(DasyncOuterLoopStrategy.Descriptor);
        MetricsText = PrometheusNetText.Of;
    }
}
