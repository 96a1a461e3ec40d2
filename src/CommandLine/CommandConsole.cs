using System.Text;
using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

/// <summary>The outside world of a command. Results are written to the output, everything else to the error writer.</summary>
/// <param name="output">The output.</param>
/// <param name="error">The error writer.</param>
/// <param name="environment">The value of an environment variable, or null when it is not set.</param>
/// <param name="isOpen">Whether the output was open at the start.</param>
/// <param name="columns">The columns of the terminal that shows the output.</param>
/// <param name="readAnswer">Reads a line from the terminal.</param>
public sealed class CommandConsole(
    TextWriter output,
    TextWriter error,
    Func<string, string?> environment,
    bool isOpen = true,
    Func<int>? columns = null,
    Func<string?>? readAnswer = null
)
{
    // Far above any line that another process reads while it is written.
    private const int LongestLine = 64 * 1024;

    public static CommandConsole OfProcess { get; } = StandardStreams.ToConsole();

    /// <summary>The writer of results. It escapes control characters.</summary>
    public TextWriter Output { get; } = new TerminalWriter(output);

    /// <summary>The writer of everything else. It escapes control characters.</summary>
    public TextWriter Error { get; } = error is LiveConsole ? error : new TerminalWriter(error);

    /// <summary>The value of an environment variable, or null when it is not set.</summary>
    public Func<string, string?> Environment { get; } = environment;

    /// <summary>The columns of the terminal that shows the output. Null if the output is not a terminal.</summary>
    public int? Columns => columns?.Invoke();

    /// <summary>Reads a line from the terminal. Null if input or error writer is not a terminal.</summary>
    public Func<string?>? ReadAnswer { get; } = readAnswer;

    /// <summary>The terminal that shows the errors, for progress views. Null if the error writer is not a terminal, or on a build server.</summary>
    public LiveConsole? Live => Error as LiveConsole;

    /// <summary>
    /// A writer that passes on each line in one piece. The writer of the runtime splits text into pieces of 256 characters, and a reader may find only the
    /// first of them.
    /// </summary>
    public static TextWriter OutputOn(Stream stream) =>
        TextWriter.Synchronized(new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), LongestLine) { AutoFlush = true });

    internal bool IsOpen { get; } = isOpen;

    /// <summary>
    /// Prints the results of a program. If the output cannot be written, prints them to the error writer, after a line that reports the failure.
    /// </summary>
    /// <returns>0, or the exit code for an output that cannot be written.</returns>
    public int Print(Action<TextWriter> write)
    {
        try
        {
            write(Output);
            Output.Flush();
            return 0;
        }
        catch (FailureException full)
        {
            Error.WriteLine($"error: {full.Message}");
            write(Error);
            return ExitCode.Of(full.Cause);
        }
    }
}
