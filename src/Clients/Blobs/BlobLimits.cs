namespace EventHubThroughput.Clients.Blobs;

/// <summary>Checks a blob against the limits of the service before anything is sent.</summary>
internal static class BlobLimits
{
    public const int LargestBlob = 256 * 1024 * 1024;

    /// <summary>Concurrent connections to an account, which all its containers share.</summary>
    public const int MostConnections = 256;

    private const int LongestName = 1_024;

    /// <exception cref="MessagingException">Kind Permanent or TooLarge. The message names what is wrong.</exception>
    public static void Check(string container, BlobUpload upload)
    {
        CheckName(container, upload.Name);
        CheckMetadata(container, upload.Name, upload.Metadata);
        if (upload.ContentType is { } type && !BlobUpload.CanCarry(type))
        {
            throw new MessagingException(
                FailureKind.Permanent,
                $"blob '{upload.Name}' of container '{container}': its content type is not printable ASCII without blanks around it"
            );
        }

        CheckLength(container, upload.Name, upload.Content.Length);
    }

    public static void CheckName(string container, string blob)
    {
        if (blob.Length is 0 or > LongestName)
        {
            throw new MessagingException(FailureKind.Permanent, $"container '{container}': a blob's name has 1 to 1,024 characters");
        }
    }

    public static void CheckLength(string container, string blob, long length)
    {
        if (length > LargestBlob)
        {
            throw new MessagingException(FailureKind.TooLarge, $"blob '{blob}' of container '{container}': larger than 256 MiB");
        }
    }

    // A header that cannot be sent would otherwise be left out silently.
    public static void CheckMetadata(string container, string blob, IReadOnlyDictionary<string, string>? metadata)
    {
        foreach ((var key, var value) in new Entries<string, string>(metadata))
        {
            if (!IsIdentifier(key) || !(value.Length == 0 || BlobUpload.CanCarry(value)))
            {
                throw new MessagingException(
                    FailureKind.Permanent,
                    $"blob '{blob}' of container '{container}': metadata '{key}' is not an identifier with a value of printable ASCII without blanks around it"
                );
            }
        }
    }

    private static bool IsIdentifier(string text)
    {
        for (var i = 0; i < text.Length; i++)
        {
            if (!char.IsAsciiLetter(text[i]) && text[i] != '_' && (i == 0 || !char.IsAsciiDigit(text[i])))
            {
                return false;
            }
        }

        return text.Length > 0;
    }
}
