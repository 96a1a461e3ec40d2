using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Authorization;

/// <summary>Messages for refused tokens. They never contain any part of a token.</summary>
internal static class TokenRefusal
{
    public static string GetText(SasVerdict verdict, DateTimeOffset expiry) =>
        verdict switch
        {
            SasVerdict.Malformed => "MalformedToken: The token is malformed.",
            SasVerdict.UnknownKey => "InvalidSignature: The key name of the token is unknown.",
            SasVerdict.WrongSignature => "InvalidSignature: The token has an invalid signature.",
            SasVerdict.Expired => $"ExpiredToken: The token is expired. Expiration time: {expiry:yyyy-MM-dd'T'HH:mm:ss'Z'}.",
            _ => "Unauthorized access.",
        };
}
