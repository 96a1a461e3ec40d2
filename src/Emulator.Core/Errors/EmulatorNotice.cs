namespace EventHubThroughput.Emulator;

/// <summary>What the caller should know of a start that succeeded.</summary>
/// <param name="Text">One sentence.</param>
/// <param name="Setting">The setting that it is about. Null where it is about a file.</param>
public sealed record EmulatorNotice(string Text, EmulatorSetting? Setting = null)
{
    /// <summary>The sentence with the setting in front of it.</summary>
    /// <param name="nameOf">The name that the reader has given each setting, such as that of an option.</param>
    public string Describe(Func<EmulatorSetting, string> nameOf) => Setting is { } setting ? $"{nameOf(setting)}: {Text}" : Text;

    public override string ToString() => Describe(static setting => setting.ToString());
}
