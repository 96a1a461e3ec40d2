using System.Globalization;

namespace EventHubThroughput.Verification.Facts;

/// <summary>
/// The hub, partition and sequence number in a sink's name. It is parsed independently of the code that creates the names: a shared mistake would be
/// invisible.
/// </summary>
internal readonly record struct DerivedName(string Hub, string Partition, long Sequence)
{
    private const int BlobDigits = 20;

    /// <summary>Parses <c>{hub}-{partition}-{sequence}</c>. The hub may contain hyphens, so it is parsed from the end.</summary>
    public static DerivedName? FromMessageId(string messageId)
    {
        var name = Split(messageId, '-', out var digits);
        return name is not null && (digits.Length == 1 || digits[0] != '0') ? name : null;
    }

    /// <summary>Parses <c>{hub}/{partition}/{sequence:D20}</c>.</summary>
    public static DerivedName? FromBlob(string name)
    {
        var derived = Split(name, '/', out var digits);
        return derived is not null && digits.Length == BlobDigits ? derived : null;
    }

    private static DerivedName? Split(string name, char separator, out ReadOnlySpan<char> digits)
    {
        digits = default;
        var second = name.LastIndexOf(separator);
        var first = second > 0 ? name.LastIndexOf(separator, second - 1) : -1;
        if (first <= 0 || second == first + 1)
        {
            return null;
        }

        digits = name.AsSpan(second + 1);
        return
            long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var sequence)
            && EscapedName.Read(name[..first]) is { } hub
            && EscapedName.Read(name[(first + 1)..second]) is { } partition
            ? new DerivedName(hub, partition, sequence)
            : null;
    }
}
