namespace EventHubThroughput.Journal.Files;

/// <summary>
/// The files that a command line names. None that is written may be one that is read, or written under another name. And where
/// one that is written lies already, it must be of its own kind.
/// </summary>
public sealed class NamedFiles
{
    private readonly List<(string Option, string Path, OutputKind? Kind)> files = [];

    /// <summary>A file that is read. Null names none.</summary>
    public NamedFiles Reads(string option, string? path)
    {
        if (path is not null)
        {
            files.Add((option, path, null));
        }

        return this;
    }

    /// <summary>A file that is written. Null names none.</summary>
    public NamedFiles Writes(string option, string? path, OutputKind kind)
    {
        if (path is not null)
        {
            files.Add((option, path, kind));
        }

        return this;
    }

    /// <summary>All that is wrong with them, each with its option and path.</summary>
    public IReadOnlyList<string> Problems()
    {
        var problems = new List<string>();
        for (var index = 0; index < files.Count; index++)
        {
            var (option, path, kind) = files[index];
            if (kind is null)
            {
                continue;
            }

            // Of two files that are written the later one is charged.
            var other = files
                .Where((one, at) => at != index && (one.Kind is null || at < index))
                .Select(static one => (one.Option, one.Path))
                .FirstOrDefault(one => IsSame(one.Path, path));
            if (other.Option is not null)
            {
                problems.Add($"{option} {path}: is the file of {other.Option}");
            }
            else if (OutputFile.Problem(path, kind) is { } problem)
            {
                problems.Add($"{option} {path}: {problem}");
            }
        }

        return problems;
    }

    private static bool IsSame(string one, string other)
    {
        var status = FileStatus.Of(one, followLink: true);

        // What is written to a device is not kept.
        return status.Kind != FileKind.Device && IdentityOf(one, status) == IdentityOf(other, FileStatus.Of(other, followLink: true));
    }

    // A file that is not there yet is known by its folder, whatever way leads there, and its name.
    private static string IdentityOf(string path, FileStatus status)
    {
        if (status.Kind != FileKind.Missing)
        {
            return status.Identity;
        }

        var full = Path.GetFullPath(path);
        var folder = Path.GetDirectoryName(full);
        return folder is not null && FileStatus.Of(folder, followLink: true) is { Kind: FileKind.Folder } parent
            ? $"{parent.Identity}/{Path.GetFileName(full)}"
            : full;
    }
}
