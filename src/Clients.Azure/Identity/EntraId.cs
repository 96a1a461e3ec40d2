using Azure.Core;
using Azure.Identity;

namespace EventHubThroughput.Clients.Azure.Identity;

/// <summary>Entra ID for services without a key: any identity of the machine, its environment or the developer's tools.</summary>
internal static class EntraId
{
    /// <summary>The scope of tokens for a namespace of Event Hubs.</summary>
    public const string EventHubsScope = "https://eventhubs.azure.net/.default";

    /// <summary>One credential for all services, which keeps its tokens. Null when every service has a key.</summary>
    public static TokenCredential? CredentialFor(MessagingSettings settings) => settings.ByEntraId.Any() ? NewCredential() : null;

    /// <summary>Any identity of the machine, requested when the first token is needed.</summary>
    public static TokenCredential NewCredential() => new DefaultAzureCredential();

    /// <summary>Requests a token for a service. Returns when it expires.</summary>
    /// <exception cref="MessagingException">No source of identities returned a token.</exception>
    public static async Task<DateTimeOffset> RequestAsync(TokenCredential credential, ProbedService service, CancellationToken cancellationToken)
    {
        var (name, scope) = service switch
        {
            ProbedService.EventHubs => ("event hubs", EventHubsScope),
            ProbedService.ServiceBus => ("service bus", "https://servicebus.azure.net/.default"),
            _ => ("storage", "https://storage.azure.com/.default"),
        };
        try
        {
            return (await credential.GetTokenAsync(new TokenRequestContext([scope]), cancellationToken).ConfigureAwait(false)).ExpiresOn;
        }
        catch (AuthenticationFailedException noToken)
        {
            throw NoToken(name, noToken);
        }
    }

    /// <summary>The failure when no source of identities returned a token. The inner exception lists the sources and their failures.</summary>
    public static MessagingException NoToken(string entity, AuthenticationFailedException cause) =>
        new(FailureKind.Unauthorized, $"no Entra ID token for {entity}", cause);
}
