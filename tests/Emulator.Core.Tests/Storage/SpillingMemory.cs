using EventHubThroughput.Emulator.Storage;

namespace EventHubThroughput.Emulator.Core.Tests.Storage;

/// <summary>Memory out of which every body goes to the disk immediately.</summary>
internal static class SpillingMemory
{
    public static MemoryBudget Create(long limitBytes = 1L << 30) => new(limitBytes, SpillFolder.Open(Path.GetTempPath()), spillFrom: 0);
}
