namespace EventHubThroughput.Journal.Files;

/// <summary>The kinds of object at a path.</summary>
internal enum FileKind
{
    Missing,
    Regular,
    Folder,
    Link,

    /// <summary>A device or a pipe: bytes written to it are not kept, so nothing can be lost there.</summary>
    Device,
    Pipe,

    /// <summary>An object whose status the system refuses to show.</summary>
    Unknown,
}
