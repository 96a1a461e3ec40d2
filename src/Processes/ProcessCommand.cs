namespace EventHubThroughput.Processes;

/// <summary>A process to be started.</summary>
/// <param name="File">The executable, as a path, or as a name that is looked up.</param>
/// <param name="Arguments">Its arguments, without secrets: everybody on the machine can read them.</param>
public sealed record ProcessCommand(string File, params IReadOnlyList<string> Arguments)
{
    /// <summary>What it is called in messages. Its file unless given.</summary>
    public string Name { get; init; } = Path.GetFileNameWithoutExtension(File);

    /// <summary>Variables that it gets beside those of this process.</summary>
    public IReadOnlyDictionary<string, string> Variables { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Whether a variable of this process is kept from it. Null keeps none.</summary>
    public Func<string, bool>? Withheld { get; init; }

    /// <summary>Where it runs. Where this process does unless given.</summary>
    public string? Folder { get; init; }

    /// <summary>Whether its standard output is read by <see cref="RunningProcess.ReadLineAsync"/>. Otherwise it is collected.</summary>
    public bool IsReadByLine { get; init; }

    /// <summary>How many lines of its standard error are kept, the last ones.</summary>
    public int KeptErrors { get; init; } = 10_000;

    /// <summary>Told of each line of its standard error. What it takes (true) is not kept. Null takes nothing.</summary>
    public Func<string, bool>? TakeError { get; init; }

    /// <summary>The clock of all limits.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>A program of this project, which lies beside the running one.</summary>
    /// <param name="name">Its name without an extension.</param>
    /// <param name="arguments">Its arguments, without secrets.</param>
    public static ProcessCommand OfProgram(string name, params IReadOnlyList<string> arguments) =>
        new(FileOf(AppContext.BaseDirectory, name), arguments) { Name = name };

    /// <summary>The executable of a program in the folder that it was built into.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="name">The program's name without an extension.</param>
    public static string FileOf(string folder, string name) => Path.Combine(folder, OperatingSystem.IsWindows() ? $"{name}.exe" : name);
}
