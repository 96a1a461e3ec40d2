using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Azure.Auth;

/// <summary>Connection strings in the form that the packages read. They contain the key, so only the constructor of a client receives them.</summary>
internal static class SdkConnectionString
{
    /// <summary>The string of a namespace, without the entity, which is a separate argument.</summary>
    public static string Of(MessagingConnectionString service) =>
        $"Endpoint={service.Audience};SharedAccessKeyName={service.KeyName};SharedAccessKey={service.Key}"
        + (service.UseDevelopmentEmulator ? ";UseDevelopmentEmulator=true" : string.Empty);
}
