using EventHubThroughput.Emulator.BlobFailures;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>A structured body that is not what it should be.</summary>
internal sealed class StructuredBodyException(BlobFailure failure) : Exception(failure.Message)
{
    /// <summary>The answer to the request.</summary>
    public BlobFailure Failure => failure;
}
