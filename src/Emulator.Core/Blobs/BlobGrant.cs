using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The level of an operation. The letters are those of an account signature.</summary>
internal enum BlobLevel
{
    Service = 's',
    Container = 'c',
    Object = 'o',
}

/// <summary>The permissions that an operation needs: any one of these letters of a signature. An empty text needs none.</summary>
internal readonly record struct BlobNeed(BlobLevel Level, string AnyOf)
{
    public static BlobNeed Service(string anyOf) => new(BlobLevel.Service, anyOf);

    public static BlobNeed Container(string anyOf) => new(BlobLevel.Container, anyOf);

    public static BlobNeed Object(string anyOf) => new(BlobLevel.Object, anyOf);
}

/// <summary>The permissions of a request.</summary>
internal sealed record BlobGrant
{
    private const string ListPermission = "l";

    private BlobGrant() { }

    /// <summary>The permissions of the account key.</summary>
    public static BlobGrant Everything { get; } = new() { IsUnlimited = true };

    public static BlobGrant Nothing { get; } = new();

    public bool IsUnlimited { get; private init; }

    /// <summary>Whether the grant comes from a signature in the address, whose other fields apply too.</summary>
    public bool IsSignedAddress => !IsUnlimited;

    /// <summary>Whether an existing blob may not be overwritten.</summary>
    public bool CreateOnly => !IsUnlimited && !Permissions.Contains('w', StringComparison.Ordinal);

    private string Permissions { get; init; } = string.Empty;

    // The levels of an account signature.
    private string? ResourceTypes { get; init; }

    // Whether the signature is for a container, which includes listing.
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
