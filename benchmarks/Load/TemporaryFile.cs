namespace EventHubThroughput.Load;

/// <summary>A file that is deleted on disposal.</summary>
internal sealed class TemporaryFile : IDisposable
{
    public string Path { get; } = System.IO.Path.GetTempFileName();

    public void Dispose() => File.Delete(Path);
}
