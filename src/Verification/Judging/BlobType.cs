using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Judging;

/// <summary>A blob always has a content type; the service gives its own to a blob that was sent without.</summary>
internal static class BlobType
{
    private static readonly ulong OfNone = TextHash.Of("application/octet-stream"u8);

    public static bool IsThatOf(ulong blob, ulong sent) => blob == sent || (sent == 0 && blob == OfNone);
}
