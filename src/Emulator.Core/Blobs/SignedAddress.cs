using System.Globalization;
using System.Net;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Checks the shared access signature of an address: for the account, a container, or one blob.</summary>
internal sealed class SignedAddress(BlobServiceOptions options)
{
    private const string BlobServiceLetter = "b";
    private const int VersionLength = 10;

    private static readonly string[] FieldsOfAccount = ["sv", "ss", "srt", "sp", "se", "sig"];
    private static readonly string[] FieldsOfResource = ["sv", "sr", "sp", "se", "sig"];

    private static readonly string[] TimeForms = ["yyyy-MM-dd", "yyyy-MM-ddTHH:mmZ", "yyyy-MM-ddTHH:mm:ssZ", "yyyy-MM-ddTHH:mm:ss.FFFFFFFZ"];

    private static BlobFailure NotWellFormed { get; } = BlobFailure.NotAuthenticated("Signature fields not well formed.");

    /// <summary>Checks everything except the permissions, which depend on the operation.</summary>
    /// <param name="address">The address with the signature in its query.</param>
    /// <param name="isTls">Whether the request came over TLS.</param>
    /// <param name="sender">The address of the client.</param>
    /// <param name="grant">The permissions of the signature.</param>
    public BlobFailure? Check(BlobAddress address, bool isTls, IPAddress? sender, out BlobGrant grant)
    {
        grant = BlobGrant.Nothing;
        var kind = address.Query("sr");
        if ((CheckFields(address, kind) ?? CheckTime(address) ?? CheckSignature(address, kind)) is { } refused)
        {
            return refused;
        }

        if (address.Query("spr") is "https" && !isTls)
        {
            return BlobFailure.ProtocolMismatch;
        }

        if (address.Query("sip") is { Length: > 0 } range && !IsWithin(range, sender))
        {
            return BlobFailure.SourceAddressMismatch;
        }

        var permissions = address.Query("sp") ?? string.Empty;
        if (kind is not null)
        {
            grant = BlobGrant.OfResource(permissions, isContainer: kind == "c");
            return null;
        }

        grant = BlobGrant.OfAccount(permissions, address.Query("srt") ?? string.Empty);
        return address.Query("ss")?.Contains(BlobServiceLetter, StringComparison.Ordinal) == true ? null : BlobFailure.ServiceMismatch;
    }

    // Stored access policies, user delegation, snapshots, directories and older versions are not supported.
    private static BlobFailure? CheckFields(BlobAddress address, string? kind)
    {
        if (address.Query("si") is { Length: > 0 })
        {
            return BlobFailure.NotAuthenticated("SAS identifier cannot be found for specified signed identifier");
        }

        if (address.Query("skoid") is not null)
        {
            return BlobFailure.NotAuthenticated("skoid: signatures with a user delegation key cannot be checked here");
        }

        var isOfAccount = kind is null && (address.Query("ss") ?? address.Query("srt")) is not null;
        foreach (var field in isOfAccount ? FieldsOfAccount : FieldsOfResource)
        {
            if (string.IsNullOrEmpty(address.Query(field)))
            {
                return BlobFailure.NotAuthenticated(field + " is mandatory. Cannot be empty");
            }
        }

        var version = address.Query("sv")!;
        if (version.Length != VersionLength)
        {
            return NotWellFormed;
        }

        if (string.CompareOrdinal(version, StorageSasSignature.OldestVersion) < 0)
        {
            return BlobFailure.NotAuthenticated($"sv is older than {StorageSasSignature.OldestVersion}, the oldest version that is supported here");
        }

        return kind is null or "b" or "c" ? null : BlobFailure.NotAuthenticated("sr is not one of the resources that are supported here: b and c");
    }

    private BlobFailure? CheckTime(BlobAddress address)
    {
        var now = options.TimeProvider.GetUtcNow();
        var from = DateTimeOffset.MinValue;
        var hasStart = address.Query("st") is { Length: > 0 };
        if (!TryTime(address.Query("se"), out var expiry) || (hasStart && !TryTime(address.Query("st"), out from)))
        {
            return NotWellFormed;
        }

        var start = hasStart ? string.Create(CultureInfo.InvariantCulture, $"Start [{from:R}] - ") : string.Empty;
        return now >= from && now < expiry
            ? null
            : BlobFailure.NotAuthenticated(
                string.Create(CultureInfo.InvariantCulture, $"Signature not valid in the specified time frame: {start}Expiry [{expiry:R}] - Current [{now:R}]")
            );
    }

    private BlobFailure? CheckSignature(BlobAddress address, string? kind)
    {
        var text = (kind, address) switch
        {
            (null, _) => StorageSasSignature.AccountStringToSign(address.Query, options.Account),
            ("c", { Container: { } container }) => StorageSasSignature.BlobStringToSign(address.Query, options.Account, container, blob: null),
            ("b", { Container: { } container, Blob: { } blob }) => StorageSasSignature.BlobStringToSign(address.Query, options.Account, container, blob),
            _ => null,
        };
        if (text is null)
        {
            return BlobFailure.NotAuthenticated($"sr is '{kind}', and the address names no such resource");
        }

        return SharedKeySignature.Matches(text, options.Key, address.Query("sig")!)
            ? null
            : BlobFailure.NotAuthenticated("Signature did not match. String to sign used was " + text);
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
        var ends = range.Split('-', 2);
        return sender is not null
            && Number(sender) is { } number
            && IPAddress.TryParse(ends[0], out var first)
            && IPAddress.TryParse(ends[^1], out var last)
            && Number(first) <= number
            && number <= Number(last);
    }

    // Ranges are for IPv4 only.
    private static uint? Number(IPAddress address)
    {
        var bytes = (address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address).GetAddressBytes();
        return bytes.Length == sizeof(uint) ? System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(bytes) : null;
    }
}
