using System.IO.Compression;
using System.Text;
using System.Text.Json;
using EventHubThroughput.Lab.Comparing.MessageSweeping;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Load.Operations;
using EventHubThroughput.Load.Producing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Pages;

/// <summary>Renders the parts of pages from the data files of a folder.</summary>
/// <param name="folder">The folder of the pages.</param>
internal sealed class PageData(string folder)
{
    // A whole report as a part of a page that has another title.
    private const string Section = "section";

    // That of the repository, where docs/results/make runs its commands.
    private readonly string root = Path.GetFullPath(Path.Combine(folder, "..", ".."));

    private readonly Dictionary<string, object?> read = new(StringComparer.Ordinal);

    /// <summary>The text of a part. Null if its data file does not exist.</summary>
    /// <exception cref="UsageException">The data have no such view.</exception>
    public string? Render(PageBlock block)
    {
        try
        {
            return block.View == Section ? Deepen(RenderView(block with { View = "" })) : RenderView(block);
        }
        catch (UsageException wrong)
        {
            throw new UsageException([.. wrong.Problems.Select(problem => $"{block.File}: {problem}")]);
        }
    }

    private static string? Deepen(string? report) =>
        report is null ? null : string.Join('\n', report.Split('\n').Select(static line => line.StartsWith('#') ? $"#{line}" : line));

    private string? RenderView(PageBlock block) =>
        Read(block.File) switch
        {
            null => null,
            string text => text,
            CsvTable table => table.Render(block.View),
            ComparisonResult comparison => ComparisonViews.Render(comparison, block.View),
            MessageSweepResult sweep => MessageSweepViews.Render(sweep, block.View),
            IReadOnlyDictionary<string, List<double>> figures => RenderFigures(figures, block.View),
            var other => throw new UsageException($"no view of {other.GetType().Name}"),
        };

    private object? Read(string file)
    {
        if (!read.TryGetValue(file, out var known))
        {
            var path = Path.Combine(folder, file);
            read[file] = known = File.Exists(path) ? Parse(file, ReadBytes(path)) : null;
        }

        return known;
    }

    private static byte[] ReadBytes(string path)
    {
        using var file = File.OpenRead(path);
        using Stream content = path.EndsWith(".gz", StringComparison.Ordinal) ? new GZipStream(file, CompressionMode.Decompress) : file;
        using var bytes = new MemoryStream();
        content.CopyTo(bytes);
        return bytes.ToArray();
    }

    private object Parse(string file, byte[] content)
    {
        if (file.EndsWith(".csv", StringComparison.Ordinal))
        {
            return CsvTable.Parse(Encoding.UTF8.GetString(content));
        }

        if (file.EndsWith(".md", StringComparison.Ordinal))
        {
            return CsvTable.OfMarkdown(Encoding.UTF8.GetString(content));
        }

        if (file.EndsWith(".txt", StringComparison.Ordinal))
        {
            return Encoding.UTF8.GetString(content).TrimEnd();
        }

        using var document = JsonDocument.Parse(content);
        return document.RootElement switch
        {
            var result when result.TryGetProperty("comparison", out _) => ConcludedAgain.Of(ResultJson.Read<ComparisonResult>(content), root),
            var result when result.TryGetProperty("sweep", out _) => JsonSerializer.Deserialize(content, MessageSweepContext.Default.MessageSweepResult)!,
            _ => JsonSerializer.Deserialize<Dictionary<string, List<double>>>(content)!,
        };
    }

    private static string RenderFigures(IReadOnlyDictionary<string, List<double>> figures, string view)
    {
        using var output = new StringWriter { NewLine = "\n" };
        var (title, rows) = view switch
        {
            "operations" => (OperationsCommand.Title, OperationsCommand.GetRows([.. figures.Keys])),
            "producer" => (ProducerCommand.Title, ProducerCommand.Rows),
            _ => throw new UsageException($"view '{view}': unknown, allowed operations and producer"),
        };
        FreshProcesses.Write(output, title, rows, figures, before: null);
        return output.ToString().TrimEnd();
    }
}
