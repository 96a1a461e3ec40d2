using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load;

/// <summary>The option that selects the measured family of clients.</summary>
internal static class FamilyOption
{
    public static readonly Option<string> Clients = Options.Choice(
        "--clients",
        "whose clients",
        ClientFamily.BuiltIn.Name,
        [.. ClientFamilies.All.Select(static family => family.Name)]
    );

    /// <summary>The selected family.</summary>
    public static ClientFamily Of(ParseResult parsed) => ClientFamilies.All.Single(known => known.Name == parsed.GetValue(Clients));
}
