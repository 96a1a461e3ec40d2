using System.Text;

namespace EventHubThroughput.Verification.Reading;

/// <summary>One name of the scope, compared with names in the bytes of the journal.</summary>
internal sealed class ScopeName(string name, bool ignoreCase)
{
    private readonly byte[] utf8 = Encoding.UTF8.GetBytes(name);

    public bool Is(ReadOnlySpan<byte> text)
    {
        if (text.SequenceEqual(utf8))
        {
            return true;
        }

        // The framework folds the case of characters beyond ASCII, which are rare.
        return ignoreCase
            && (
                Ascii.IsValid(utf8)
                    ? Ascii.EqualsIgnoreCase(text, utf8)
                    : string.Equals(Encoding.UTF8.GetString(text), name, StringComparison.OrdinalIgnoreCase)
            );
    }

    /// <summary>Whether a path begins with the name, and the rest after the slash.</summary>
    public bool TryStrip(ReadOnlySpan<byte> path, out ReadOnlySpan<byte> rest)
    {
        rest = default;
        if (path.Length <= utf8.Length || path[utf8.Length] != (byte)'/' || !Is(path[..utf8.Length]))
        {
            return false;
        }

        rest = path[(utf8.Length + 1)..];
        return true;
    }
}
