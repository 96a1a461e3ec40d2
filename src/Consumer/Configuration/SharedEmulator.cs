namespace EventHubThroughput.Consumer.Configuration;

/// <summary>An emulator that several runs use one after another, and that none of them has started.</summary>
/// <param name="ProcessId">Its process, whose processor time and memory are read.</param>
/// <param name="Profile">The latency profile that it keeps, by its name or file.</param>
/// <param name="Ceiling">Its own rate on this machine, in events a second, where somebody measured it.</param>
internal sealed record SharedEmulator(int ProcessId, string Profile, int? Ceiling);
