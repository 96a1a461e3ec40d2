using System.Globalization;

namespace EventHubThroughput.Verification;

/// <summary>
/// The hub, partition and sequence number that a sink's name must speak of. Read here anew, not with the code that made the name:
/// a mistake shared by both would be invisible.
/// </summary>
internal readonly record struct DerivedName(string Hub, string Partition, long Sequence)
{
    private const int BlobDigits = 20;

    /// <summary><c>{hub}-{partition}-{sequence}</c>.</summary>
    public static DerivedName? FromMessageId(string messageId)
    {
        var second = messageId.LastIndexOf('-');
        var first = second > 0 ? messageId.LastIndexOf('-', second - 1) : -1;
        return first > 0 && second > first + 1 && Sequenced(messageId.AsSpan(second + 1)) is { } sequence
            && messageId[(second + 1)] is not '0' | messageId.Length == second + 2
            ? new DerivedName(messageId[..first], messageId[(first + 1)..second], sequence)
            : null;
    }

    /// <summary><c>{hub}/{partition}/{sequence:D20}</c>.</summary>
    public static DerivedName? FromBlob(string name)
    {
        var second = name.LastIndexOf('/');
        var first = second > 0 ? name.LastIndexOf('/', second - 1) : -1;
        return first > 0 && second > first + 1 && name.Length - second - 1 == BlobDigits
            && Sequenced(name.AsSpan(second + 1)) is { } sequence
            ? new DerivedName(name[..first], name[(first + 1)..second], sequence)
            : null;
    }

    private static long? Sequenced(ReadOnlySpan<char> digits) =>
        long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var sequence) ? sequence : null;
}
