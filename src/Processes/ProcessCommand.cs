namespace EventHubThroughput.Processes;

/// <summary>A process to start.</summary>
/// <param name="File">The executable, as a path, or as a name to look up.</param>
/// <param name="Arguments">Its arguments, without secrets: every user of the machine can read them.</param>
public sealed record ProcessCommand(string File, params IReadOnlyList<string> Arguments)
{
    /// <summary>Its name in messages. By default that of its file.</summary>
    public string Name { get; init; } = Path.GetFileNameWithoutExtension(File);

    /// <summary>Variables that it gets in addition to those of this process.</summary>
    public IReadOnlyDictionary<string, string> Variables { get; init; } = new Dictionary<string, string>(StringComparer.Ordinal);

    /// <summary>Whether it must not inherit a variable of this process. Null passes all on.</summary>
    public Func<string, bool>? IsWithheld { get; init; }

    /// <summary>Its working folder. By default that of this process.</summary>
    public string? Folder { get; init; }

    /// <summary>Whether its standard output is read by <see cref="RunningProcess.ReadLineAsync"/>. Otherwise it is collected.</summary>
    public bool IsReadByLine { get; init; }

    /// <summary>How many of the last lines of its standard error are kept.</summary>
    public int KeptErrors { get; init; } = 10_000;

    /// <summary>Receives each line of its standard error. Lines for which it returns true are not kept. Null keeps all.</summary>
    public Func<string, bool>? TakeError { get; init; }

    /// <summary>The clock of all limits.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>A program of this project in the folder of the running one.</summary>
    /// <param name="name">Its name without an extension.</param>
    /// <param name="arguments">Its arguments, without secrets.</param>
    public static ProcessCommand OfProgram(string name, params IReadOnlyList<string> arguments) =>
        new(GetFile(AppContext.BaseDirectory, name), arguments) { Name = name };

    /// <summary>The executable of a program in its build folder.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="name">The program's name without an extension.</param>
    public static string GetFile(string folder, string name) => Path.Combine(folder, OperatingSystem.IsWindows() ? $"{name}.exe" : name);
}
