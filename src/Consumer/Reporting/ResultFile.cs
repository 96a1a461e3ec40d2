using System.Text.Json;
using System.Text.Json.Nodes;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Pipeline;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>Writes the result file: to a temporary file beside it, flushed, renamed; a reader never sees half of one.</summary>
internal static class ResultFile
{
    private static readonly JsonSerializerOptions Indented = new()
    {
        WriteIndented = true,

        // Read as a file, never inside HTML.
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>Refuses a path that cannot be written, before anything is started.</summary>
    public static void EnsureWritable(string path)
    {
        var temporary = TemporaryOf(path);
        try
        {
            if (Directory.Exists(path))
            {
                throw new ExitException(ExitCode.ResultsUnwritable, $"--output {path}: is a folder");
            }

            // The result is moved into place, which would replace a device or a link by a file.
            if (new FileInfo(path).LinkTarget is not null || Path.GetFullPath(path).StartsWith("/dev/", StringComparison.Ordinal))
            {
                throw new ExitException(ExitCode.ResultsUnwritable, $"--output {path}: is not a regular file");
            }

            using (Open(temporary)) { }

            File.Delete(temporary);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Unwritable(path, exception);
        }
    }

    /// <param name="path">The file, which an older one gives way to.</param>
    /// <param name="result">What it will hold.</param>
    /// <param name="written">Called when all is written and not yet in its place.</param>
    /// <exception cref="ExitException">It cannot be written; the older file, if any, is as it was.</exception>
    public static void Write(string path, JsonObject result, Action? written = null)
    {
        var temporary = TemporaryOf(path);
        try
        {
            using (var stream = Open(temporary))
            {
                JsonSerializer.Serialize(stream, result, Indented);
                stream.WriteByte((byte)'\n');
                stream.Flush(flushToDisk: true);
            }

            written?.Invoke();
            File.Move(temporary, path, overwrite: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException)
        {
            // The last is what the runtime makes of a limit on the size of files; a full disk is an IOException.
            TryDelete(temporary);
            throw Unwritable(path, exception);
        }
    }

    private static FileStream Open(string path)
    {
        var options = new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        return new FileStream(path, options);
    }

    private static string TemporaryOf(string path) => $"{path}.{Environment.ProcessId}.tmp";

    private static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The failure to write is the one that is reported.
        }
    }

    private static ExitException Unwritable(string path, Exception exception) =>
        new(ExitCode.ResultsUnwritable, $"--output {path}: cannot be written: {exception.Message}", exception);
}
