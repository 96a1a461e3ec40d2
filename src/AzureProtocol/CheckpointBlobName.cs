using System.Diagnostics.CodeAnalysis;

namespace EventHubThroughput.AzureProtocol;

/// <summary>The kinds of blob in the checkpoint layout.</summary>
public enum CheckpointBlobKind
{
    /// <summary>The claim of a processor on a partition.</summary>
    Ownership,

    /// <summary>A consumer group's stored position in a partition.</summary>
    Checkpoint,
}

/// <summary>The parts of a blob name <c>{namespace}/{hub}/{group}/ownership|checkpoint/{partition}</c>, as stored.</summary>
public sealed record CheckpointBlobParts(CheckpointBlobKind Kind, string Namespace, string Hub, string Group, string Partition);

/// <summary>Names of ownership and checkpoint blobs in the layout that all official SDKs share.</summary>
public static class CheckpointBlobName
{
    private const string OwnershipWord = "ownership";
    private const string CheckpointWord = "checkpoint";

    /// <summary>The ownership blob of a partition.</summary>
    /// <param name="fullyQualifiedNamespace">The host without its port.</param>
    /// <param name="hub">The event hub.</param>
    /// <param name="group">The consumer group.</param>
    /// <param name="partition">The partition.</param>
    public static string Ownership(string fullyQualifiedNamespace, string hub, string group, string partition) =>
        OwnershipPrefix(fullyQualifiedNamespace, hub, group) + partition;

    /// <summary>The checkpoint blob of a partition.</summary>
    public static string Checkpoint(string fullyQualifiedNamespace, string hub, string group, string partition) =>
        CheckpointPrefix(fullyQualifiedNamespace, hub, group) + partition;

    /// <summary>The prefix of all ownership blobs of a consumer group.</summary>
    public static string OwnershipPrefix(string fullyQualifiedNamespace, string hub, string group) =>
        Prefix(fullyQualifiedNamespace, hub, group, OwnershipWord);

    /// <summary>The prefix of all checkpoint blobs of a consumer group.</summary>
    public static string CheckpointPrefix(string fullyQualifiedNamespace, string hub, string group) =>
        Prefix(fullyQualifiedNamespace, hub, group, CheckpointWord);

    /// <summary>Whether the last part of a name is a partition identifier: a decimal number as the services write it.</summary>
    public static bool IsPartition(string text) =>
        text is "0" || (text.Length is > 0 and <= 10 && text[0] != '0' && !text.AsSpan().ContainsAnyExceptInRange('0', '9'));

    /// <summary>Parses a name of the layout. Case is not changed.</summary>
    public static bool TryParse(string blobName, [NotNullWhen(true)] out CheckpointBlobParts? parts)
    {
        parts = null;
        Span<Range> ranges = stackalloc Range[6];
        ReadOnlySpan<char> name = blobName;
        if (name.Split(ranges, '/') != 5 || ranges[..5].ContainsEmpty(name))
        {
            return false;
        }

        CheckpointBlobKind kind;
        switch (name[ranges[3]])
        {
            case OwnershipWord:
                kind = CheckpointBlobKind.Ownership;
                break;
            case CheckpointWord:
                kind = CheckpointBlobKind.Checkpoint;
                break;
            default:
                return false;
        }

        parts = new CheckpointBlobParts(kind, blobName[ranges[0]], blobName[ranges[1]], blobName[ranges[2]], blobName[ranges[4]]);
        return true;
    }

    private static string Prefix(string fullyQualifiedNamespace, string hub, string group, string word) =>
        $"{fullyQualifiedNamespace.ToLowerInvariant()}/{hub.ToLowerInvariant()}/{group.ToLowerInvariant()}/{word}/";

    private static bool ContainsEmpty(this Span<Range> ranges, ReadOnlySpan<char> text)
    {
        foreach (var range in ranges)
        {
            if (text[range].IsEmpty)
            {
                return true;
            }
        }

        return false;
    }
}
