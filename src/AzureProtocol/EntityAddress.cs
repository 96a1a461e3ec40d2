namespace EventHubThroughput.AzureProtocol;

/// <summary>The kinds of node that an address can name.</summary>
public enum EntityAddressKind
{
    /// <summary><c>$cbs</c></summary>
    ClaimsBasedSecurity,

    /// <summary><c>$management</c> of the namespace, or <c>{entity}/$management</c>.</summary>
    Management,

    /// <summary><c>{hub}</c>, <c>{queue}</c> or <c>{topic}</c>.</summary>
    Entity,

    /// <summary><c>{hub}/Partitions/{p}</c></summary>
    Partition,

    /// <summary><c>{hub}/ConsumerGroups/{g}/Partitions/{p}</c></summary>
    PartitionReader,

    /// <summary><c>{topic}/Subscriptions/{s}</c></summary>
    Subscription,
}

/// <summary>
/// A parsed address, as links and audiences name it. It may have a scheme and authority, a leading slash, percent-encoding and any case of the fixed words.
/// Names keep their spelling and compare without case.
/// </summary>
public sealed record EntityAddress
{
    public required EntityAddressKind Kind { get; init; }

    /// <summary>Hub, queue or topic. Empty for <c>$cbs</c> and the namespace's <c>$management</c>.</summary>
    public string Entity { get; init; } = string.Empty;

    public string? ConsumerGroup { get; init; }

    public string? Partition { get; init; }

    public string? Subscription { get; init; }

    public bool DeadLetter { get; init; }

    /// <summary>The normal form: no leading slash, fixed words in their usual case.</summary>
    public string Path =>
        Kind switch
        {
            EntityAddressKind.ClaimsBasedSecurity => AmqpNames.CbsAddress,
            EntityAddressKind.Management => Base.Length == 0 ? AmqpNames.ManagementAddress : $"{Base}/{AmqpNames.ManagementAddress}",
            EntityAddressKind.Partition => $"{Entity}/Partitions/{Partition}",
            EntityAddressKind.PartitionReader => $"{Entity}/ConsumerGroups/{ConsumerGroup}/Partitions/{Partition}",
            _ => Base,
        };

    // What precedes "/$management".
    private string Base
    {
        get
        {
            var path = Subscription is null ? Entity : $"{Entity}/Subscriptions/{Subscription}";
            return DeadLetter ? $"{path}/{AmqpNames.DeadLetterSuffix}" : path;
        }
    }

    public override string ToString() => Path;

    public static string OfPartition(string hub, string partition) => $"{hub}/Partitions/{partition}";

    public static string OfPartitionReader(string hub, string group, string partition) => $"{hub}/ConsumerGroups/{group}/Partitions/{partition}";

    public static string OfManagement(string entity) => $"{entity}/{AmqpNames.ManagementAddress}";

    /// <summary>Strips scheme, authority, one leading slash and percent-encoding.</summary>
    public static string Normalise(string address)
    {
        var rest = address;
        var scheme = rest.IndexOf("://", StringComparison.Ordinal);
        if (scheme >= 0)
        {
            var slash = rest.IndexOf('/', scheme + 3);
            rest = slash < 0 ? string.Empty : rest[slash..];
        }

        if (rest.StartsWith('/'))
        {
            rest = rest[1..];
        }

        return Uri.UnescapeDataString(rest).TrimEnd('/');
    }

    /// <summary>Parses an address. Null when it has none of the known forms.</summary>
    public static EntityAddress? Parse(string address)
    {
        var parts = Normalise(address).Split('/');
        var count = parts.Length;
        if (Array.Exists(parts, static part => part.Length == 0))
        {
            return null;
        }

        var management = Is(parts[count - 1], AmqpNames.ManagementAddress);
        count -= management ? 1 : 0;
        var dead = count > 1 && Is(parts[count - 1], AmqpNames.DeadLetterSuffix);
        count -= dead ? 1 : 0;
        var found = ParsePath(parts.AsSpan(0, count), management);
        if (found is null || (dead && found.Kind is not (EntityAddressKind.Entity or EntityAddressKind.Subscription)))
        {
            return null;
        }

        found = found with { DeadLetter = dead };
        if (!management)
        {
            return found;
        }

        return found.Kind is EntityAddressKind.Entity or EntityAddressKind.Subscription or EntityAddressKind.Management
            ? found with
            {
                Kind = EntityAddressKind.Management,
            }
            : null;
    }

    // An entity's name may contain slashes. So the fixed words are searched from the end.
    private static EntityAddress? ParsePath(ReadOnlySpan<string> parts, bool management)
    {
        var count = parts.Length;
        if (count == 0)
        {
            return management ? new EntityAddress { Kind = EntityAddressKind.Management } : null;
        }

        if (count == 1 && Is(parts[0], AmqpNames.CbsAddress))
        {
            return management ? null : new EntityAddress { Kind = EntityAddressKind.ClaimsBasedSecurity };
        }

        if (count >= 5 && Is(parts[count - 2], "Partitions") && Is(parts[count - 4], "ConsumerGroups"))
        {
            return new EntityAddress
            {
                Kind = EntityAddressKind.PartitionReader,
                Entity = Join(parts[..(count - 4)]),
                ConsumerGroup = parts[count - 3],
                Partition = parts[count - 1],
            };
        }

        if (count >= 3 && Is(parts[count - 2], "Partitions"))
        {
            return new EntityAddress
            {
                Kind = EntityAddressKind.Partition,
                Entity = Join(parts[..(count - 2)]),
                Partition = parts[count - 1],
            };
        }

        if (count >= 3 && Is(parts[count - 2], "Subscriptions"))
        {
            return new EntityAddress
            {
                Kind = EntityAddressKind.Subscription,
                Entity = Join(parts[..(count - 2)]),
                Subscription = parts[count - 1],
            };
        }

        return new EntityAddress { Kind = EntityAddressKind.Entity, Entity = Join(parts) };
    }

    private static string Join(ReadOnlySpan<string> parts) => string.Join('/', parts);

    private static bool Is(string part, string word) => string.Equals(part, word, StringComparison.OrdinalIgnoreCase);
}
