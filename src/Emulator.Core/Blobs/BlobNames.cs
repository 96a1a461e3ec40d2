using System.Text;
using System.Xml;
using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The rules for names of containers, blobs and metadata.</summary>
internal static class BlobNames
{
    /// <summary>The container of blobs that are addressed without a container.</summary>
    public const string Root = "$root";

    private const string Logs = "$logs";
    private const int MetadataLimit = 8 * 1024;

    public static bool IsContainer(string name) => CheckNewContainer(name) is null;

    /// <summary>Checks the name of a new container. The name that only the service creates is refused.</summary>
    public static BlobFailure? CheckNewContainer(string name) => name == Logs ? BlobFailure.InsufficientPermissions : CheckContainer(name);

    /// <summary>Checks a name: 3 to 63 lower-case letters, digits and single hyphens between them, or one of the two special names of the service.</summary>
    public static BlobFailure? CheckContainer(string name)
    {
        if (name is Root or Logs)
        {
            return null;
        }

        if (name.Length is < 3 or > 63)
        {
            return BlobFailure.OutOfRangeName;
        }

        if (name[0] == '-' || name[^1] == '-' || name.Contains("--", StringComparison.Ordinal))
        {
            return BlobFailure.InvalidResourceName;
        }

        foreach (var letter in name)
        {
            if (!char.IsAsciiLetterLower(letter) && !char.IsAsciiDigit(letter) && letter != '-')
            {
                return BlobFailure.InvalidResourceName;
            }
        }

        return null;
    }

    /// <summary>Checks a name: 1 to 1,024 characters that a list can show, plain or percent-encoded. No slash in the root container.</summary>
    public static BlobFailure? CheckBlob(string container, string name)
    {
        if (name.Length is 0 or > 1_024)
        {
            return BlobFailure.OutOfRangeName;
        }

        return IsXml(name, alsoNonCharacters: true) && !(container == Root && name.Contains('/', StringComparison.Ordinal))
            ? null
            : BlobFailure.InvalidResourceName;
    }

    /// <summary>Whether XML can contain a text unchanged.</summary>
    public static bool IsXml(string text) => IsXml(text, alsoNonCharacters: false);

    /// <summary>Replaces each character that XML cannot contain.</summary>
    public static string ToXml(string text)
    {
        StringBuilder shown = new(text.Length);
        foreach (var rune in text.EnumerateRunes())
        {
            shown.Append(rune.IsBmp && !XmlConvert.IsXmlChar((char)rune.Value) ? Rune.ReplacementChar : rune);
        }

        return shown.ToString();
    }

    public static BlobFailure? CheckMetadata(IReadOnlyDictionary<string, string> metadata)
    {
        var size = 0;
        foreach ((var name, var value) in metadata)
        {
            if (!IsIdentifier(name) || !IsPrintable(value))
            {
                return BlobFailure.InvalidMetadata;
            }

            size += name.Length + value.Length;
        }

        return size > MetadataLimit ? BlobFailure.MetadataTooLarge : null;
    }

    /// <summary>Whether a header can carry a value unchanged.</summary>
    public static bool IsPrintable(string value)
    {
        foreach (var letter in value)
        {
            if (letter is (< ' ' and not '\t') or > '~')
            {
                return false;
            }
        }

        return true;
    }

    // U+FFFE and U+FFFF are the two non-characters that are allowed in names nevertheless.
    private static bool IsXml(string text, bool alsoNonCharacters)
    {
        for (var i = 0; i < text.Length; i++)
        {
            if (XmlConvert.IsXmlChar(text[i]) || (alsoNonCharacters && text[i] >= '\ufffe'))
            {
                continue;
            }

            if (i + 1 == text.Length || !XmlConvert.IsXmlSurrogatePair(text[i + 1], text[i]))
            {
                return false;
            }

            i++;
        }

        return true;
    }

    private static bool IsIdentifier(string name)
    {
        for (var i = 0; i < name.Length; i++)
        {
            var allowed = char.IsAsciiLetter(name[i]) || name[i] == '_' || (i > 0 && char.IsAsciiDigit(name[i]));
            if (!allowed)
            {
                return false;
            }
        }

        return name.Length > 0;
    }
}
