namespace EventHubThroughput.Emulator;

/// <summary>The emulator cannot start. The message names the settings as <see cref="EmulatorSetting"/> does.</summary>
public sealed class EmulatorException(EmulatorErrorKind kind, IReadOnlyList<string> problems, Exception? cause = null) : Exception(null, cause)
{
    public EmulatorException(EmulatorErrorKind kind, string problem, Exception? cause = null)
        : this(kind, [problem], cause) { }

    /// <summary>A setting has an unusable value.</summary>
    public EmulatorException(EmulatorErrorKind kind, EmulatorSetting setting, string value, string problem, Exception? cause = null)
        : this(kind, [problem], cause)
    {
        Settings = [setting];
        Value = value;
    }

    public EmulatorErrorKind Kind { get; } = kind;

    /// <summary>The settings of the problem. Empty if it concerns a file that none of them names.</summary>
    public IReadOnlyList<EmulatorSetting> Settings { get; init; } = [];

    /// <summary>Their value. Null if it is irrelevant.</summary>
    public string? Value { get; }

    /// <summary>The problems, without the settings and their value. At least one.</summary>
    public IReadOnlyList<string> Problems { get; } = problems;

    public override string Message => string.Join("; ", Describe(static setting => setting.ToString()));

    /// <summary>The problems in full sentences.</summary>
    /// <param name="nameOf">The name that the reader uses for each setting, such as an option.</param>
    public IEnumerable<string> Describe(Func<EmulatorSetting, string> nameOf)
    {
        var names = string.Join(", ", Settings.Select(nameOf));
        var subject = Value is null ? names : $"{names} {Value}";
        return Problems.Select(problem => subject.Length == 0 ? problem : $"{subject}: {problem}");
    }
}
