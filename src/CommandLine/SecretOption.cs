namespace EventHubThroughput.CommandLine;

// Every user of the machine can read the arguments of a process, so no option accepts a secret. An attempt gets a message that names the right place.
internal static class SecretOption
{
    private static readonly string[] Words =
    [
        "connectionstring",
        "secret",
        "password",
        "sharedaccess",
        "accesskey",
        "accountkey",
        "sastoken",
        "credential",
        "bearer",
    ];

    /// <summary>The message for an option whose name asks for a secret. Null for any other name. It never contains the value.</summary>
    public static string? Refusal(string name)
    {
        var letters = name.Replace("-", string.Empty).Replace("_", string.Empty).ToLowerInvariant();
        if (!Words.Any(word => letters.Contains(word, StringComparison.Ordinal)) && letters is not ("sas" or "token"))
        {
            return null;
        }

        var service =
            letters.Contains("servicebus", StringComparison.Ordinal) ? "SERVICEBUS"
            : letters.Contains("storage", StringComparison.Ordinal) || letters.Contains("account", StringComparison.Ordinal) ? "STORAGE"
            : "EVENTHUB";
        return $"{name}: not an option. Set {service}_CONNECTION_STRING, or use a settings file with mode 0600";
    }
}
