namespace EventHubThroughput.Sender.Tests;

/// <summary>A folder that is gone after the test.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-");

    public string FullName => folder.FullName;

    public string GetPath(string name) => Path.Combine(folder.FullName, name);

    public string Write(string name, ReadOnlySpan<byte> content)
    {
        File.WriteAllBytes(GetPath(name), content);
        return GetPath(name);
    }

    public void Dispose() => folder.Delete(recursive: true);
}
