using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.OfficialPackages;
using EventHubThroughput.OfficialPackages.Strategies;

namespace EventHubThroughput.Consumer.Configuration;

internal sealed partial class BuildOffer
{
    partial void AddOfficialPackages()
    {
        clients.Add(OfficialClients.Family);
        strategies.Add(DasyncOuterLoopStrategy.Descriptor);
        strategies.Add(DasyncCombinedStrategy.Descriptor);
    }
}
