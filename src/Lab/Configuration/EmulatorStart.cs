namespace EventHubThroughput.Lab.Configuration;

/// <summary>How long an emulator that a command starts may take until it is ready.</summary>
internal static class EmulatorStart
{
    /// <summary>The option for this limit.</summary>
    public const string Option = "--start-limit";

    /// <summary>The limit unless one is given: a busy machine takes many seconds to load its code.</summary>
    public static readonly TimeSpan UsualLimit = TimeSpan.FromSeconds(60);

    /// <summary>The shortest limit that may be given.</summary>
    public static readonly TimeSpan Shortest = TimeSpan.FromSeconds(1);

    /// <summary>The longest limit that may be given.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromMinutes(30);
}
