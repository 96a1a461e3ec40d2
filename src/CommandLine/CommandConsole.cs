using System.Text;
using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

/// <summary>What a command may touch of the outside: results go to the output, everything else to the error writer.</summary>
/// <param name="output">The output.</param>
/// <param name="error">The error writer.</param>
/// <param name="environment">The value of an environment variable, or null when it is not set.</param>
/// <param name="isOpen">Whether somebody may read the output. False when it was closed before the start.</param>
public sealed class CommandConsole(TextWriter output, TextWriter error, Func<string, string?> environment, bool isOpen = true, Func<int>? columns = null)
{
    // Far above any line that somebody else reads while it is written.
    private const int LongestLine = 64 * 1024;

    public static CommandConsole OfProcess { get; } = StandardStreams.ToConsole();

    /// <summary>Where results go. Control characters of what is written are escaped.</summary>
    public TextWriter Output { get; } = new TerminalWriter(output);

    /// <summary>Where all else goes. Control characters of what is written are escaped.</summary>
    public TextWriter Error { get; } = error is LiveConsole ? error : new TerminalWriter(error);

    /// <summary>The value of an environment variable, or null when it is not set.</summary>
    public Func<string, string?> Environment { get; } = environment;

    /// <summary>The columns of the terminal that reads the output. Null where a program does.</summary>
    public int? Columns => columns?.Invoke();

    /// <summary>The terminal that reads the errors, to show on it how something goes on. Null where a program does, or a build server.</summary>
    public LiveConsole? Live => Error as LiveConsole;

    /// <summary>
    /// A writer that hands on each line in one piece. The runtime's own cuts what it is given into pieces of 256 characters, of which a
    /// reader may find the first ones only.
    /// </summary>
    public static TextWriter OutputOn(Stream stream) =>
        TextWriter.Synchronized(new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), LongestLine) { AutoFlush = true });

    internal bool IsOpen { get; } = isOpen;

    /// <summary>
    /// Prints what a program was asked for. Where the output cannot be written, to the error writer behind a line that says so.
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
