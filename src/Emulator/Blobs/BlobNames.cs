using System.Xml;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Which names of containers, blobs and metadata are allowed.</summary>
internal static class BlobNames
{
    private const int MetadataLimit = 8 * 1024;

    public static bool IsContainer(string name)
    {
        if (name.Length is < 3 or > 63 || name[0] == '-' || name[^1] == '-' || name.Contains("--", StringComparison.Ordinal))
        {
            return false;
        }

        foreach (char letter in name)
        {
            if (!char.IsAsciiLetterLower(letter) && !char.IsAsciiDigit(letter) && letter != '-')
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>1 to 1,024 characters, all of which a list can show: XML has no form for the others.</summary>
    public static bool IsBlob(string name)
    {
        if (name.Length is 0 or > 1_024)
        {
            return false;
        }

        for (int i = 0; i < name.Length; i++)
        {
            if (XmlConvert.IsXmlChar(name[i]))
            {
                continue;
            }

            if (i + 1 == name.Length || !XmlConvert.IsXmlSurrogatePair(name[i + 1], name[i]))
            {
                return false;
            }

            i++;
        }

        return true;
    }

    public static BlobFailure? CheckMetadata(IReadOnlyDictionary<string, string> metadata)
    {
        int size = 0;
        foreach ((string name, string value) in metadata)
        {
            if (!IsIdentifier(name) || !IsPrintable(value))
            {
                return BlobFailure.InvalidMetadata;
            }

            size += name.Length + value.Length;
        }

        return size > MetadataLimit ? BlobFailure.MetadataTooLarge : null;
    }

    /// <summary>Whether a value can be sent in a header as it is.</summary>
    public static bool IsPrintable(string value)
    {
        foreach (char letter in value)
        {
            if (letter is (< ' ' and not '\t') or > '~')
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsIdentifier(string name)
    {
        for (int i = 0; i < name.Length; i++)
        {
            bool allowed = char.IsAsciiLetter(name[i]) || name[i] == '_' || (i > 0 && char.IsAsciiDigit(name[i]));
            if (!allowed)
            {
                return false;
            }
        }

        return name.Length > 0;
    }
}
