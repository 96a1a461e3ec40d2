using Azure.Core;

namespace Azure.Identity;

[ReadFrom("Azure.Identity", "1.11.4")]
public class AuthenticationFailedException : Exception
{
    internal AuthenticationFailedException() => throw null!;
}

[ReadFrom("Azure.Identity", "1.11.4")]
public class DefaultAzureCredential : TokenCredential
{
    public DefaultAzureCredential(bool includeInteractiveCredentials = false) => throw null!;
}
