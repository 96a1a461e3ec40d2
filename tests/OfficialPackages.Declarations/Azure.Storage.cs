// Without annotations, as in the package.
#nullable disable

namespace Azure.Storage;

[ReadFrom("Azure.Storage.Common", "12.23.0")]
public class StorageSharedKeyCredential
{
    public StorageSharedKeyCredential(string accountName, string accountKey) => throw null!;
}

[ReadFrom("Azure.Storage.Common", "12.23.0")]
public struct StorageTransferOptions
{
    public long? MaximumTransferSize
    {
        set => throw null!;
    }

    public long? InitialTransferSize
    {
        set => throw null!;
    }
}
