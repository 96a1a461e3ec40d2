using EventHubThroughput.Testing;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>A copy of the sources of programs and libraries that a test may change and build.</summary>
internal static class SourceCopy
{
    // What a build of one program reads beside its sources.
    private static readonly string[] Besides = ["*.props", "*.targets", "BannedSymbols.txt", ".editorconfig", ".globalconfig", "global.json"];

    public static void Make(string folder)
    {
        var source = RepositoryFiles.GetPath("src");
        var files = Directory
            .EnumerateFiles(source, "*", SearchOption.AllDirectories)
            .Select(file => Path.Combine("src", Path.GetRelativePath(source, file)))
            .Where(path => !path.Split(Path.DirectorySeparatorChar).Any(static part => part is "bin" or "obj"));
        var besides = Besides
            .SelectMany(static pattern => Directory.EnumerateFiles(RepositoryFiles.Root, pattern))
            .Select(static file => Path.GetFileName(file));
        foreach (var path in files.Concat(besides))
        {
            var copy = Path.Combine(folder, path);
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(RepositoryFiles.GetPath(path), copy);
        }
    }
}
