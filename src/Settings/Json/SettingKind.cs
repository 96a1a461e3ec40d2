namespace EventHubThroughput.Settings.Json;

/// <summary>What a value of a settings document is.</summary>
public enum SettingKind
{
    Flag,
    Number,
    Text,
    List,
    Group,
}
