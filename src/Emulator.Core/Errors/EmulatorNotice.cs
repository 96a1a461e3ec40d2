namespace EventHubThroughput.Emulator;

/// <summary>A notice about a start that succeeded.</summary>
/// <param name="Text">One sentence.</param>
/// <param name="Setting">The setting of the notice. Null if it concerns a file.</param>
public sealed record EmulatorNotice(string Text, EmulatorSetting? Setting = null)
{
    /// <summary>The sentence with the setting in front of it.</summary>
    /// <param name="nameOf">The name that the reader uses for each setting, such as an option.</param>
    public string Describe(Func<EmulatorSetting, string> nameOf) => Setting is { } setting ? $"{nameOf(setting)}: {Text}" : Text;

    public override string ToString() => Describe(static setting => setting.ToString());
}
