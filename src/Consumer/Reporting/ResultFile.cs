using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Consumer.Configuration;
using EventHubThroughput.Consumer.Results;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Consumer.Reporting;

/// <summary>Writes the result file: to a temporary file beside it, flushed, renamed; a reader never sees half of one.</summary>
internal static class ResultFile
{
    /// <summary>Refuses a path that cannot be written, before anything is started.</summary>
    public static void EnsureWritable(string path)
    {
        try
        {
            OutputFile.Probe(path, OutputKind.Result);
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw Unwritable(path, exception);
        }
    }

    /// <param name="path">The file, which an older one gives way to.</param>
    /// <param name="result">What it will hold.</param>
    /// <param name="written">Called when all is written and not yet in its place.</param>
    /// <exception cref="ExitException">It cannot be written; the older file, if any, is as it was.</exception>
    public static void Write(string path, RunResult result, Action? written = null) => Write(path, ResultJson.Write(result), written);

    /// <inheritdoc cref="Write(string, RunResult, Action?)"/>
    public static void Write(string path, VerificationResult result) => Write(path, ResultJson.Write(result), written: null);

    /// <inheritdoc cref="Write(string, RunResult, Action?)"/>
    public static void Write(string path, ModelResult result) => Write(path, ResultJson.Write(result), written: null);

    private static void Write(string path, byte[] result, Action? written)
    {
        try
        {
            using var file = OutputFile.Create(path, OutputKind.Result);
            file.Stream.Write(result);
            if (file.Stream.CanSeek)
            {
                // Pipes and terminals have no disk behind them.
                file.Stream.Flush(flushToDisk: true);
            }

            written?.Invoke();
            file.Place();
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            // A limit on the size of files shows as an argument out of range.
            throw Unwritable(path, exception);
        }
    }

    private static ExitException Unwritable(string path, Exception exception) =>
        new(ExitCode.ResultsUnwritable, $"--output {path}: {OutputFile.Describe(exception)}", exception);
}
