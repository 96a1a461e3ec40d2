using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Pages;

/// <summary>Renders the generated parts of pages again, from the data files beside them.</summary>
internal static class PagesCommand
{
    private static readonly Option<string> Folder = Options.TextOr("--folder", "the folder of the pages", "docs/results", "DIR");
    private static readonly Option<IReadOnlyList<string>> Pages = Options.List("--pages", "only these pages, by their names without .md", []);

    public static RootCommand Create(CommandConsole console)
    {
        var root = new RootCommand("Renders the generated parts of pages again from their data. Nothing is measured.") { Folder, Pages };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var folder = parsed.GetValue(Folder)!;
                var data = new PageData(folder);
                foreach (var page in GetPages(folder, parsed.GetValue(Pages)!))
                {
                    var before = await File.ReadAllTextAsync(page, cancellationToken);
                    var after = PageBlocks.Render(before, data.Render);
                    if (after != before)
                    {
                        await File.WriteAllTextAsync(page, after, cancellationToken);
                        await console.Output.WriteLineAsync($"rendered {page}");
                    }
                }

                return 0;
            }
        );
        return root;
    }

    private static IEnumerable<string> GetPages(string folder, IReadOnlyList<string> names)
    {
        foreach (var name in names.Where(name => !File.Exists(Path.Combine(folder, $"{name}.md"))))
        {
            throw new UsageException($"{Pages.Name} '{name}': {folder} has no such page");
        }

        return Directory
            .EnumerateFiles(folder, "*.md")
            .Where(path => names.Count == 0 || names.Contains(Path.GetFileNameWithoutExtension(path)))
            .Order(StringComparer.Ordinal);
    }
}
