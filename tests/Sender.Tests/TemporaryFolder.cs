namespace EventHubThroughput.Sender.Tests;

/// <summary>A folder that is gone after the test.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-");

    public string FullName => folder.FullName;

    public string PathOf(string name) => Path.Combine(folder.FullName, name);

    public string Write(string name, ReadOnlySpan<byte> content)
    {
        File.WriteAllBytes(PathOf(name), content);
        return PathOf(name);
    }

    public void Dispose() => folder.Delete(recursive: true);
}
