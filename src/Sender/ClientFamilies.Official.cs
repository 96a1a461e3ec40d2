using EventHubThroughput.OfficialPackages;

namespace EventHubThroughput.Sender;

internal sealed partial class ClientFamilies
{
    partial void AddOfficialPackages() => all.Add(OfficialClients.Family);
}
