using Azure.Core;
using Azure.Identity;

namespace EventHubThroughput.Clients.Azure.Identity;

/// <summary>Entra ID for services without a key: any identity of the machine, its environment or the developer's tools.</summary>
internal static class EntraId
{
    /// <summary>One credential for all services, which keeps its tokens. Null when every service has a key.</summary>
    public static TokenCredential? CredentialFor(MessagingSettings settings) => settings.ByEntraId.Any() ? NewCredential() : null;

    /// <summary>Any identity of the machine, requested when the first token is needed.</summary>
    public static TokenCredential NewCredential() => new DefaultAzureCredential();

    /// <summary>The failure when no source of identities returned a token. The inner exception lists the sources and their failures.</summary>
    public static MessagingException NoToken(string entity, AuthenticationFailedException cause) =>
        new(FailureKind.Unauthorized, $"no Entra ID token for {entity}", cause);
}
