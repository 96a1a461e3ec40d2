namespace EventHubThroughput.Load;

/// <summary>A file that is gone when its user is done.</summary>
internal sealed class TemporaryFile : IDisposable
{
    public string Path { get; } = System.IO.Path.GetTempFileName();

    public void Dispose() => File.Delete(Path);
}
