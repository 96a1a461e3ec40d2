using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>On what an operation works: the letters are those of an account's signature.</summary>
internal enum BlobLevel
{
    Service = 's',
    Container = 'c',
    Object = 'o',
}

/// <summary>What an operation needs: any one of some permissions, by the letters of signatures. None for an empty text.</summary>
internal readonly record struct BlobNeed(BlobLevel Level, string AnyOf)
{
    public static BlobNeed Service(string anyOf) => new(BlobLevel.Service, anyOf);

    public static BlobNeed Container(string anyOf) => new(BlobLevel.Container, anyOf);

    public static BlobNeed Object(string anyOf) => new(BlobLevel.Object, anyOf);
}

/// <summary>How far a request may go.</summary>
internal sealed record BlobGrant
{
    private const string ListPermission = "l";

    private BlobGrant() { }

    /// <summary>That of the account's key.</summary>
    public static BlobGrant Everything { get; } = new() { IsUnlimited = true };

    public static BlobGrant Nothing { get; } = new();

    public bool IsUnlimited { get; private init; }

    /// <summary>Whether it comes from a signature in the address, whose other fields then count too.</summary>
    public bool IsSignedAddress => !IsUnlimited;

    /// <summary>Whether a blob that is there may not be written over.</summary>
    public bool CreateOnly => !IsUnlimited && !Permissions.Contains('w', StringComparison.Ordinal);

    private string Permissions { get; init; } = string.Empty;

    // Of an account's signature: the levels it is for.
    private string? ResourceTypes { get; init; }

    // Of a container's signature, which may list too.
    private bool IsContainer { get; init; }

    public static BlobGrant OfAccount(string permissions, string resourceTypes) => new() { Permissions = permissions, ResourceTypes = resourceTypes };

    public static BlobGrant OfResource(string permissions, bool isContainer) => new() { Permissions = permissions, IsContainer = isContainer };

    public BlobFailure? Check(BlobNeed need)
    {
        if (IsUnlimited)
        {
            return null;
        }

        if (ResourceTypes is not null)
        {
            if (need.AnyOf.Length > 0 && !ResourceTypes.Contains((char)need.Level, StringComparison.Ordinal))
            {
                return BlobFailure.ResourceTypeMismatch;
            }
        }
        else if (need.AnyOf.Length > 0 && need.Level != BlobLevel.Object && !(IsContainer && need is { Level: BlobLevel.Container, AnyOf: ListPermission }))
        {
            return BlobFailure.PermissionMismatch;
        }

        return need.AnyOf.Length == 0 || need.AnyOf.AsSpan().IndexOfAny(Permissions) >= 0 ? null : BlobFailure.PermissionMismatch;
    }
}
