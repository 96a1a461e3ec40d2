using System.Text.Json.Nodes;
using System.Xml.Linq;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Repository.Tests.Projects;

/// <summary>The projects of the repository, each by its path, and what they reference.</summary>
internal static class ProjectFiles
{
    public static string Source(string name) => RepositoryFiles.GetPath("src", name, $"{name}.csproj");

    public static string Tests(string name) => RepositoryFiles.GetPath("tests", name, $"{name}.csproj");

    public static string GetName(string project) => Path.GetFileNameWithoutExtension(project);

    /// <summary>The names of the folders of <c>src</c> or <c>tests</c>.</summary>
    public static string[] GetFolders(string tree) =>
        [.. Directory.GetDirectories(RepositoryFiles.GetPath(tree)).Select(Path.GetFileName).OfType<string>().Order(StringComparer.Ordinal)];

    /// <summary>What a project references in a build without options.</summary>
    public static IEnumerable<string> GetReferences(string project) =>
        XDocument
            .Load(project)
            .Descendants("ProjectReference")
            .Where(static reference => reference.Attribute("Condition") is null && reference.Parent!.Attribute("Condition") is null)
            .Select(reference => Path.GetFullPath((string)reference.Attribute("Include")!, Path.GetDirectoryName(project)!));

    /// <summary>Projects with all that they reference, directly or not.</summary>
    public static HashSet<string> WithReferences(IEnumerable<string> projects)
    {
        HashSet<string> found = new(StringComparer.Ordinal);
        var open = new Stack<string>(projects);
        while (open.TryPop(out var project))
        {
            if (found.Add(project))
            {
                foreach (var reference in GetReferences(project))
                {
                    open.Push(reference);
                }
            }
        }

        return found;
    }

    /// <summary>The projects of a solution filter.</summary>
    public static string[] OfFilter(string filter) =>
        [
            .. JsonNode.Parse(File.ReadAllText(RepositoryFiles.GetPath(filter)))!["solution"]!["projects"]!
                .AsArray()
                .Select(static project => RepositoryFiles.GetPath(((string)project!).Split('\\'))),
        ];
}
