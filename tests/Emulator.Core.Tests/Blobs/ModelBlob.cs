namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>How a step names a version.</summary>
internal enum Version
{
    Any,
    Absent,
    Current,
    Stale,
}

/// <summary>How a step names a lease.</summary>
internal enum Holder
{
    Nobody,
    Current,
    Stranger,
}

/// <summary>A lease as the model sees it: times on its own clock, in seconds.</summary>
internal sealed class ModelLease
{
    public required string Id { get; set; }

    /// <summary>Null: for ever.</summary>
    public int? Seconds { get; init; }

    public long? Ends { get; set; }

    public long? Broken { get; set; }

    public string StateAt(long now) =>
        Broken is { } broken
            ? now < broken
                ? "breaking"
                : "broken"
            : now >= Ends
                ? "expired"
                : "leased";
}

/// <summary>A name as the model sees it.</summary>
internal sealed class ModelBlob
{
    /// <summary>Null while there are only uncommitted blocks.</summary>
    public string? Content { get; set; }

    public string Metadata { get; set; } = string.Empty;

    public string ETag { get; set; } = string.Empty;

    public List<(string Id, string Text)> Committed { get; set; } = [];

    public Dictionary<string, string> Uncommitted { get; } = [];

    public ModelLease? Lease { get; set; }
}

/// <summary>
/// A container as a dictionary, with the service's rules for versions and leases written down a second time, as plainly as
/// possible.
/// </summary>
internal sealed class BlobModel
{
    public const string Stranger = "99999999-9999-9999-9999-999999999999";

    public SortedDictionary<string, ModelBlob> Blobs { get; } = new(StringComparer.Ordinal);

    public HashSet<string> ETags { get; } = [];

    public long Now { get; set; }

    /// <summary>The blob under a name, or null when there is none or only uncommitted blocks.</summary>
    public ModelBlob? Find(string name) => Blobs.GetValueOrDefault(name) is { Content: not null } blob ? blob : null;

    public string State(ModelBlob? blob) => blob?.Lease?.StateAt(Now) ?? "available";

    public IEnumerable<(string, string)> Headers(string name, Version version, Holder holder)
    {
        var blob = Find(name);
        switch (version)
        {
            case Version.Absent:
                yield return ("If-None-Match", "*");
                break;
            case Version.Current:
                yield return ("If-Match", blob?.ETag ?? "0x0");
                break;
            case Version.Stale:
                yield return ("If-Match", "0x0");
                break;
            default:
                break;
        }

        if (holder != Holder.Nobody)
        {
            yield return ("x-ms-lease-id", Id(blob, holder));
        }
    }

    public static string Id(ModelBlob? blob, Holder holder) => holder == Holder.Current && blob?.Lease is { } lease ? lease.Id : Stranger;

    /// <summary>Whether a write is refused, and how.</summary>
    public (int Status, string? Code)? Refusal(string name, Version version, Holder holder, bool isPut)
    {
        var blob = Find(name);
        if (!isPut && blob is null)
        {
            return (404, "BlobNotFound");
        }

        var met = version switch
        {
            Version.Absent => blob is null,
            Version.Current => blob is not null,
            Version.Stale => false,
            _ => true,
        };
        if (!met)
        {
            return isPut && version == Version.Absent ? (409, "BlobAlreadyExists") : (412, "ConditionNotMet");
        }

        return LeaseRefusal(blob, holder);
    }

    public (int Status, string? Code)? LeaseRefusal(ModelBlob? blob, Holder holder)
    {
        var state = State(blob);
        if (holder == Holder.Nobody)
        {
            return state is "leased" or "breaking" ? (412, "LeaseIdMissing") : null;
        }

        if (state == "available")
        {
            return (412, "LeaseNotPresentWithBlobOperation");
        }

        if (Id(blob, holder) != blob!.Lease!.Id)
        {
            return (412, "LeaseIdMismatchWithBlobOperation");
        }

        return state is "broken" or "expired" ? (412, "LeaseLost") : null;
    }

    /// <summary>A write has been done: a lease that had ended is forgotten.</summary>
    public ModelBlob Written(string name, string etag)
    {
        if (!Blobs.TryGetValue(name, out var blob))
        {
            Blobs[name] = blob = new ModelBlob();
        }

        if (State(blob) is "broken" or "expired")
        {
            blob.Lease = null;
        }

        blob.ETag = etag.Trim('"');
        return blob;
    }
}
