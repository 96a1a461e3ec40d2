namespace EventHubThroughput.AzureProtocol;

/// <summary>
/// The text that a shared access signature of a storage account signs. It is signed with the account's key like any other text
/// (<see cref="SharedKeySignature.Sign(ReadOnlySpan{char}, ReadOnlySpan{byte})"/>). The fields are the parameters of the URL, decoded. Source: "Create a
/// service SAS" and "Create an account SAS" of the service's documentation.
/// </summary>
public static class StorageSasSignature
{
    /// <summary>The oldest supported version.</summary>
    public const string OldestVersion = "2015-04-05";

    private const string WithSnapshot = "2018-11-09";
    private const string WithEncryptionScope = "2020-12-06";

    /// <summary>The signed text of an account's signature.</summary>
    /// <param name="fields">A parameter by its name. Null when it is absent.</param>
    /// <param name="account">The storage account's name.</param>
    public static string AccountStringToSign(Func<string, string?> fields, string account)
    {
        var version = fields("sv") ?? string.Empty;
        List<string?> lines = [account, fields("sp"), fields("ss"), fields("srt"), fields("st"), fields("se"), fields("sip"), fields("spr"), version];
        if (IsFrom(version, WithEncryptionScope))
        {
            lines.Add(fields("ses"));
        }

        lines.Add(string.Empty);
        return string.Join('\n', lines);
    }

    /// <summary>The signed text of a signature of one container or blob.</summary>
    /// <param name="fields">A parameter by its name. Null when it is absent.</param>
    /// <param name="account">The storage account's name.</param>
    /// <param name="container">The container's name.</param>
    /// <param name="blob">The blob's name, decoded. Null for a signature of the whole container.</param>
    public static string BlobStringToSign(Func<string, string?> fields, string account, string container, string? blob)
    {
        var version = fields("sv") ?? string.Empty;
        var resource = blob is null ? $"/blob/{account}/{container}" : $"/blob/{account}/{container}/{blob}";
        List<string?> lines = [fields("sp"), fields("st"), fields("se"), resource, fields("si"), fields("sip"), fields("spr"), version];
        if (IsFrom(version, WithSnapshot))
        {
            lines.Add(fields("sr"));
            lines.Add(fields("snapshot"));
        }

        if (IsFrom(version, WithEncryptionScope))
        {
            lines.Add(fields("ses"));
        }

        lines.AddRange([fields("rscc"), fields("rscd"), fields("rsce"), fields("rscl"), fields("rsct")]);
        return string.Join('\n', lines);
    }

    // Versions are dates whose text order is their order.
    private static bool IsFrom(string version, string first) => string.CompareOrdinal(version, first) >= 0;
}
