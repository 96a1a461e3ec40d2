namespace EventHubThroughput.CommandLine;

// Arguments of a process can be read by every user of the machine, so no option takes a secret; who tries is told where it belongs.
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

    /// <summary>The text for an option whose name asks for a secret; null for any other name. The value is never part of it.</summary>
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
