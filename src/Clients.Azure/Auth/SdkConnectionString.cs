using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Azure.Auth;

/// <summary>
/// Connection strings as the packages read them. They hold the key, so they go into the constructor of a client and nowhere else.
/// </summary>
internal static class SdkConnectionString
{
    /// <summary>Of a namespace, without an entity: that is named beside it.</summary>
    public static string Of(MessagingConnectionString service) =>
        $"Endpoint={service.Audience};SharedAccessKeyName={service.KeyName};SharedAccessKey={service.Key}"
        + (service.UseDevelopmentEmulator ? ";UseDevelopmentEmulator=true" : string.Empty);
}
