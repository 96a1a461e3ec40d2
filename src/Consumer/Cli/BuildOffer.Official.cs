using EventHubThroughput.OfficialPackages;

namespace EventHubThroughput.Consumer.Cli;

internal sealed partial class BuildOffer
{
    partial void AddOfficialPackages()
    {
        clients.Add(OfficialClients.Family);
    }
}
