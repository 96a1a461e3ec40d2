namespace EventHubThroughput.CommandLine;

/// <summary>What a command may touch of the outside: results go to the output, everything else to the error writer.</summary>
public sealed class CommandConsole(TextWriter output, TextWriter error, Func<string, string?> environment)
{
    public static CommandConsole OfProcess { get; } = new(Console.Out, Console.Error, System.Environment.GetEnvironmentVariable);

    public TextWriter Output { get; } = output;

    public TextWriter Error { get; } = error;

    /// <summary>The value of an environment variable, or null when it is not set.</summary>
    public Func<string, string?> Environment { get; } = environment;
}
