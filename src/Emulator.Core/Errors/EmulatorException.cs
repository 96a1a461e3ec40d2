namespace EventHubThroughput.Emulator;

/// <summary>Why an emulator cannot start. Its message names the settings as <see cref="EmulatorSetting"/> does.</summary>
public sealed class EmulatorException(EmulatorErrorKind kind, IReadOnlyList<string> problems, Exception? cause = null) : Exception(null, cause)
{
    public EmulatorException(EmulatorErrorKind kind, string problem, Exception? cause = null)
        : this(kind, [problem], cause) { }

    /// <summary>A setting has a value that cannot be used.</summary>
    public EmulatorException(EmulatorErrorKind kind, EmulatorSetting setting, string value, string problem, Exception? cause = null)
        : this(kind, [problem], cause)
    {
        Settings = [setting];
        Value = value;
    }

    public EmulatorErrorKind Kind { get; } = kind;

    /// <summary>The settings that the problem is about. Empty where it is about a file that none of them names.</summary>
    public IReadOnlyList<EmulatorSetting> Settings { get; init; } = [];

    /// <summary>Their value. Null where it does not matter.</summary>
    public string? Value { get; }

    /// <summary>What is wrong, without the settings and their value. At least one.</summary>
    public IReadOnlyList<string> Problems { get; } = problems;

    public override string Message => string.Join("; ", Describe(static setting => setting.ToString()));

    /// <summary>The problems in full sentences.</summary>
    /// <param name="nameOf">The name that the reader has given each setting, such as that of an option.</param>
    public IEnumerable<string> Describe(Func<EmulatorSetting, string> nameOf)
    {
        var names = string.Join(", ", Settings.Select(nameOf));
        var subject = Value is null ? names : $"{names} {Value}";
        return Problems.Select(problem => subject.Length == 0 ? problem : $"{subject}: {problem}");
    }
}
