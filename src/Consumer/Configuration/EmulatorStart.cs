using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Configuration;

/// <summary>How long an emulator that a command starts may take until it is ready.</summary>
internal static class EmulatorStart
{
    /// <summary>The option that says so.</summary>
    public const string Option = "--start-limit";

    /// <summary>The limit unless one is given: a busy machine takes many seconds to load its code.</summary>
    public static readonly TimeSpan UsualLimit = TimeSpan.FromSeconds(60);

    private static readonly TimeSpan Shortest = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(30);

    /// <summary>The option for a command whose help begins each load option with these words.</summary>
    public static Option<TimeSpan> CreateOption(string begin = "") =>
        Options.Duration(Option, $"{begin}how long the emulator may take to start; {DurationText.Format(UsualLimit)}", UsualLimit, Shortest, Longest);
}
