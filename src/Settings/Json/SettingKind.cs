namespace EventHubThroughput.Settings.Json;

/// <summary>The kinds of value in a settings document.</summary>
public enum SettingKind
{
    Flag,
    Number,
    Text,
    List,
    Group,
}
