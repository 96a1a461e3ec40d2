using System.Runtime.InteropServices;
using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

/// <summary>
/// The standard streams, which may be full, closed before the start, or gone with their terminal. The runtime reuses a closed descriptor for the first file
/// that it opens. Output would then go to that file, and input would come from it.
/// </summary>
public static partial class StandardStreams
{
    private const int Input = 0;
    private const int Output = 1;
    private const int Error = 2;
    private const int GetFlags = 1;
    private const int ClosesOnExec = 1;

    /// <summary>Standard input. Empty when it was closed.</summary>
    public static Stream OpenInput() => IsInherited(Input) ? Console.OpenStandardInput() : Stream.Null;

    /// <summary>The console of this process. Text that cannot be written to standard error is dropped, because there is no other place to report it.</summary>
    internal static CommandConsole ToConsole()
    {
        var (output, error) = (IsInherited(Output), IsInherited(Error));
        Console.SetOut(output ? CommandConsole.OutputOn(new GuardedStream(Console.OpenStandardOutput(), OutputFailed)) : TextWriter.Null);
        Console.SetError(error ? GetWriter(Console.Error, Console.OpenStandardError(), failed: null) : TextWriter.Null);
        if (!IsInherited(Input))
        {
            Console.SetIn(TextReader.Null);
        }

        var errors = error && IsWatched() ? new LiveConsole(Console.Error, static () => (Console.WindowWidth, Console.WindowHeight)) : Console.Error;
        return new CommandConsole(
            Console.Out,
            errors,
            System.Environment.GetEnvironmentVariable,
            output,
            output && !Console.IsOutputRedirected ? static () => Console.WindowWidth : null,
            error && IsInherited(Input) && !Console.IsInputRedirected && !Console.IsErrorRedirected ? Console.ReadLine : null
        );
    }

    // A build server may offer a terminal, and stores every frame that is drawn on it.
    private static bool IsWatched() =>
        !Console.IsErrorRedirected
        && System.Environment.GetEnvironmentVariable("TERM") != "dumb"
        && System.Environment.GetEnvironmentVariable("CI") is null or "" or "false" or "0";

    internal static FailureException OutputFailed(Exception cause) =>
        new(FailureCause.NotWritable, $"standard output: cannot be written: {cause.Message}", cause);

    // Descriptors that the runtime opens are closed on exec. Those inherited from the parent process are not.
    private static bool IsInherited(int descriptor)
    {
        if (OperatingSystem.IsWindows())
        {
            return true;
        }

        var flags = Control(descriptor, GetFlags);
        return flags >= 0 && (flags & ClosesOnExec) == 0;
    }

    private static TextWriter GetWriter(TextWriter present, Stream stream, Func<Exception, Exception>? failed) =>
        TextWriter.Synchronized(new StreamWriter(new GuardedStream(stream, failed), present.Encoding) { AutoFlush = true });

    [LibraryImport("libc", EntryPoint = "fcntl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Control(int descriptor, int command);
}
