using System.CommandLine;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load;

/// <summary>Whose clients are measured.</summary>
internal static class FamilyOption
{
    public static readonly Option<string> Clients = Options.Choice(
        "--clients",
        "whose clients",
        ClientFamily.BuiltIn.Name,
        [.. ClientFamilies.All.Select(static family => family.Name)]
    );

    /// <summary>The family that was chosen.</summary>
    public static ClientFamily Of(ParseResult parsed) => ClientFamilies.All.Single(known => known.Name == parsed.GetValue(Clients));
}
