namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>A folder that is gone when the test ends.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("eht-e2e-");

    public string File(string name) => Path.Combine(_folder.FullName, name);

    public void Dispose() => _folder.Delete(recursive: true);
}
