using System.Globalization;
using System.Net;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Checks the shared access signature of an address: of the account, of a container, or of one blob.</summary>
internal sealed class SignedAddress(BlobServiceOptions options)
{
    private const string BlobServiceLetter = "b";
    private const int VersionLength = 10;

    private static readonly string[] TimeForms = ["yyyy-MM-dd", "yyyy-MM-ddTHH:mmZ", "yyyy-MM-ddTHH:mm:ssZ", "yyyy-MM-ddTHH:mm:ss.FFFFFFFZ"];

    /// <summary>Checks all but the permissions, which the operation asks for.</summary>
    /// <param name="address">With the signature in its query.</param>
    /// <param name="isTls">Whether the request came over TLS.</param>
    /// <param name="sender">Where the request came from.</param>
    /// <param name="grant">How far the signature goes.</param>
    public BlobFailure? Check(BlobAddress address, bool isTls, IPAddress? sender, out BlobGrant grant)
    {
        grant = BlobGrant.Nothing;
        string? kind = address.Query("sr");
        string? text = StringToSign(address, kind);
        if (text is null || !SharedKeySignature.Matches(text, options.Key, address.Query("sig") ?? string.Empty) || !IsInTime(address))
        {
            return BlobFailure.AuthenticationFailed;
        }

        if (address.Query("spr") is "https" && !isTls)
        {
            return BlobFailure.ProtocolMismatch;
        }

        if (address.Query("sip") is { Length: > 0 } range && !IsWithin(range, sender))
        {
            return BlobFailure.SourceAddressMismatch;
        }

        string permissions = address.Query("sp") ?? string.Empty;
        if (kind is not null)
        {
            grant = BlobGrant.OfResource(permissions, isContainer: kind == "c");
            return null;
        }

        grant = BlobGrant.OfAccount(permissions, address.Query("srt") ?? string.Empty);
        return address.Query("ss")?.Contains(BlobServiceLetter, StringComparison.Ordinal) == true ? null : BlobFailure.ServiceMismatch;
    }

    // Null for what is not checked here: stored access policies, user delegation, snapshots, directories, older versions.
    private string? StringToSign(BlobAddress address, string? kind)
    {
        if (
            address.Query("sv") is not { Length: VersionLength } version
            || string.CompareOrdinal(version, StorageSasSignature.OldestVersion) < 0
            || address.Query("si") is { Length: > 0 }
            || address.Query("skoid") is not null
        )
        {
            return null;
        }

        return kind switch
        {
            null => StorageSasSignature.AccountStringToSign(address.Query, options.Account),
            "c" when address.Container is { } container => StorageSasSignature.BlobStringToSign(address.Query, options.Account, container, blob: null),
            "b" when address is { Container: { } container, Blob: { } blob } => StorageSasSignature.BlobStringToSign(
                address.Query,
                options.Account,
                container,
                blob
            ),
            _ => null,
        };
    }

    private bool IsInTime(BlobAddress address)
    {
        DateTimeOffset now = options.TimeProvider.GetUtcNow();
        return TryTime(address.Query("se"), out DateTimeOffset expiry)
            && now < expiry
            && (address.Query("st") is not { Length: > 0 } start || (TryTime(start, out DateTimeOffset from) && now >= from));
    }

    private static bool TryTime(string? text, out DateTimeOffset time) =>
        DateTimeOffset.TryParseExact(
            text,
            TimeForms,
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
            out time
        );

    private static bool IsWithin(string range, IPAddress? sender)
    {
        string[] ends = range.Split('-', 2);
        return sender is not null
            && Number(sender) is { } number
            && IPAddress.TryParse(ends[0], out IPAddress? first)
            && IPAddress.TryParse(ends[^1], out IPAddress? last)
            && Number(first) <= number
            && number <= Number(last);
    }

    // Ranges are of the fourth version of IP only.
    private static uint? Number(IPAddress address)
    {
        byte[] bytes = (address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address).GetAddressBytes();
        return bytes.Length == sizeof(uint) ? System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(bytes) : null;
    }
}
