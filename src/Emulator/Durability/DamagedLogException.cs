namespace EventHubThroughput.Emulator.Durability;

/// <summary>A log is damaged in its middle, or is none: nothing is served from it, and nothing is thrown away.</summary>
internal sealed class DamagedLogException(string path, string problem) : Exception($"{path}: {problem}");
