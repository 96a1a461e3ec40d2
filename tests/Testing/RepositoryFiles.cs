namespace EventHubThroughput.Testing;

/// <summary>Files of the repository that the tests run in.</summary>
public static class RepositoryFiles
{
    public static string Root { get; } = FindRoot();

    public static string GetPath(params string[] parts) => Path.Combine([Root, .. parts]);

    private static string FindRoot()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "EventHubThroughput.sln")))
        {
            folder = folder.Parent;
        }

        return folder?.FullName ?? throw new InvalidOperationException("The tests do not run inside the repository.");
    }
}
