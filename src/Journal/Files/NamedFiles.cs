namespace EventHubThroughput.Journal.Files;

/// <summary>
/// The files that a command line names. A written file must not also be read, or be written under another name. If a written file already exists, it must be
/// of the same kind.
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

    /// <summary>All problems of the files, each with its option and path.</summary>
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

            // Of two written files the later one gets the problem.
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

        // Bytes written to a device are not kept.
        return status.Kind != FileKind.Device && GetIdentity(one, status) == GetIdentity(other, FileStatus.Of(other, followLink: true));
    }

    // A new file is identified by its folder, over any path, and its name.
    private static string GetIdentity(string path, FileStatus status)
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
