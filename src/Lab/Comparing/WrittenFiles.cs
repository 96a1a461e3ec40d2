using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>Writes files one after another. A file that cannot be written is reported, and the others are still written.</summary>
/// <param name="error">Receives the failures, and the paths of the files that were written.</param>
internal sealed class WrittenFiles(TextWriter error)
{
    private readonly List<int> codes = [];

    /// <summary>The exit codes of those that could not be written.</summary>
    public IReadOnlyList<int> Codes => codes;

    /// <summary>Writes one.</summary>
    /// <param name="path">The file. Null is none.</param>
    /// <param name="write">Writes it.</param>
    /// <param name="what">Its name. Null writes no message about a file that was written.</param>
    public void Write(string? path, Action<string> write, string? what)
    {
        if (path is null)
        {
            return;
        }

        try
        {
            write(path);
            if (what is not null)
            {
                error.WriteLine($"{what}: {path}");
            }
        }
        catch (FailureException failure)
        {
            error.WriteLine($"error: {failure.Message}");
            codes.Add(ExitCode.Of(failure.Cause));
        }
    }
}
