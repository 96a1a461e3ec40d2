using System.Text;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>Writes the result file: to a temporary file beside it, flushed, renamed. A reader never sees half of one.</summary>
internal static class ResultFile
{
    private const string OutputOption = "--output";
    private const string ReportOption = "--report";

    /// <summary>Refuses a path that cannot be written, before anything is started.</summary>
    public static void EnsureWritable(string path) => EnsureWritable(path, OutputKind.Result);

    /// <summary>Refuses a report's path that cannot be written.</summary>
    /// <param name="path">The path.</param>
    /// <param name="option">The option that names it.</param>
    public static void EnsureReportWritable(string path, string option = ReportOption) => EnsureWritable(path, OutputKind.Report, option);

    /// <summary>The same for a profile.</summary>
    public static void EnsureProfileWritable(string path) => EnsureWritable(path, OutputKind.Profile);

    private static void EnsureWritable(string path, OutputKind kind, string option = OutputOption)
    {
        try
        {
            OutputFile.Probe(path, kind);
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw Unwritable(path, option, exception);
        }
    }

    /// <param name="path">The file. It replaces an older one.</param>
    /// <param name="result">What it will hold.</param>
    /// <param name="written">Called when all is written and not yet in its place.</param>
    /// <exception cref="FailureException">It cannot be written. The older file, if any, is as it was.</exception>
    public static void Write(string path, RunResult result, Action? written = null) => Write(path, OutputKind.Result, ResultJson.Write(result), written);

    /// <inheritdoc cref="Write(string, RunResult, Action?)"/>
    public static void Write(string path, VerificationResult result) => Write(path, OutputKind.Result, ResultJson.Write(result), written: null);

    /// <inheritdoc cref="Write(string, RunResult, Action?)"/>
    public static void Write(string path, ModelResult result) => Write(path, OutputKind.Result, ResultJson.Write(result), written: null);

    /// <inheritdoc cref="Write(string, RunResult, Action?)"/>
    public static void Write(string path, ComparisonResult result) => Write(path, OutputKind.Result, ResultJson.Write(result), written: null);

    /// <summary>Writes a result that is JSON already.</summary>
    /// <inheritdoc cref="Write(string, RunResult, Action?)"/>
    public static void WriteResult(string path, byte[] json) => Write(path, OutputKind.Result, json, written: null);

    /// <summary>Writes a report that was made from a result.</summary>
    /// <param name="path">The file. It replaces an older one.</param>
    /// <param name="report">The text.</param>
    /// <param name="option">The option that names the file.</param>
    /// <exception cref="FailureException">It cannot be written. The older file, if any, is as it was.</exception>
    public static void Write(string path, string report, string option = ReportOption) =>
        Write(path, OutputKind.Report, Encoding.UTF8.GetBytes(report), written: null, option);

    /// <summary>Appends text to a file of another program.</summary>
    /// <param name="path">The file. It is created if it is missing.</param>
    /// <param name="text">The text.</param>
    /// <param name="source">The option or variable that names the file.</param>
    /// <exception cref="FailureException">It cannot be written.</exception>
    public static void Append(string path, string text, string source)
    {
        try
        {
            File.AppendAllText(path, text);
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw Unwritable(path, source, exception);
        }
    }

    /// <summary>Writes a latency profile.</summary>
    /// <inheritdoc cref="Write(string, RunResult, Action?)"/>
    public static void WriteProfile(string path, byte[] profile) => Write(path, OutputKind.Profile, profile, written: null);

    private static void Write(string path, OutputKind kind, byte[] result, Action? written, string option = OutputOption)
    {
        try
        {
            using var file = OutputFile.Create(path, kind);
            file.Stream.Write(result);
            if (file.Stream.CanSeek)
            {
                // Pipes and terminals have no disk to flush to.
                file.Stream.Flush(flushToDisk: true);
            }

            written?.Invoke();
            file.Place();
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            // A limit on the size of files shows as an argument out of range.
            throw Unwritable(path, option, exception);
        }
    }

    private static FailureException Unwritable(string path, string option, Exception exception) =>
        new(FailureCause.NotWritable, $"{option} {path}: {OutputFile.Describe(exception)}", exception);
}
