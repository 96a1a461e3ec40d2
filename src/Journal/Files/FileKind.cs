namespace EventHubThroughput.Journal.Files;

/// <summary>What lies under a path.</summary>
internal enum FileKind
{
    Missing,
    Regular,
    Folder,
    Link,

    /// <summary>A device or a pipe: what is written to it is not kept, so nothing can be lost there.</summary>
    Device,
    Pipe,

    /// <summary>Something that the system does not let us look at.</summary>
    Unknown,
}
