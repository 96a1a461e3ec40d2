using System.Globalization;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Embedded;

/// <summary>
/// What a filled hub and all that becomes of it take of the machine, more rather than less. A run that would find no room is refused
/// before anything is started, not in its middle.
/// </summary>
/// <param name="MemoryMebibytes">What the emulator may hold in memory.</param>
/// <param name="DiskBytes">What its folder takes.</param>
internal sealed record EmbeddedDemand(long MemoryMebibytes, long DiskBytes)
{
    private const long Mebibyte = 1024 * 1024;

    // The least memory of the emulator, which is its own default.
    private const long LeastMemory = 1024 * Mebibyte;

    // Of an event's copies in hub, queue and container: the record of where each copy is. Seen: 1.5 KB.
    private const long MemoryOfEvent = 1_800;

    // Each copy's properties, then journal and ledger.
    private const int Copies = 3;
    private const long PropertiesOfCopy = 700;
    private const long RecordsOfEvent = 2_500;

    /// <summary>What a load needs. The length of a load is unknown if its sender is stopped from outside. Such a load gets the least.</summary>
    public static EmbeddedDemand Of(LoadOptions load)
    {
        var events =
            load.Rate is not null ? 0L
            : load.Input is { } file ? GetLines(file)
            : load.Events;
        events *= load.Hubs;
        var memory = Math.Max(LeastMemory, events * MemoryOfEvent);
        return new EmbeddedDemand(
            (memory + Mebibyte - 1) / Mebibyte,
            events * ((Copies * ((long)Math.Ceiling(load.Size.Mean) + PropertiesOfCopy)) + RecordsOfEvent)
        );
    }

    // The lines of a file are the least number of its events. A file that cannot be read is refused by the sender.
    private static long GetLines(string file)
    {
        if (NamedFile.GetProblem(file) is not null)
        {
            return 0;
        }

        try
        {
            using var content = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
            var piece = new byte[64 * 1024];
            long lines = 1;
            while (content.Read(piece) is > 0 and var read)
            {
                lines += piece.AsSpan(0, read).Count((byte)'\n');
            }

            return lines;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    /// <summary>Why a machine cannot take it, or null.</summary>
    /// <param name="events">Of the load.</param>
    /// <param name="memoryBytes">What the machine has.</param>
    /// <param name="diskBytes">What the folder has free.</param>
    /// <param name="folder">The folder.</param>
    public string? GetProblem(int events, long memoryBytes, long diskBytes, string folder) =>
        MemoryMebibytes > LeastMemory / Mebibyte && MemoryMebibytes * Mebibyte > memoryBytes
            ? $"--events {events}: needs about {Sizes(MemoryMebibytes * Mebibyte)} of memory, this machine has {Sizes(memoryBytes)}"
        : DiskBytes > diskBytes ? $"--events {events}: needs about {Sizes(DiskBytes)} in {folder}, {Sizes(diskBytes)} are free"
        : null;

    /// <summary>Refuses a load that this machine cannot take.</summary>
    /// <exception cref="UsageException">What is missing, in figures.</exception>
    public void EnsureRoom(LoadOptions load, string folder)
    {
        if (GetProblem(load.Events, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes, new DriveInfo(folder).AvailableFreeSpace, folder) is { } problem)
        {
            throw new UsageException(problem);
        }
    }

    private static string Sizes(long bytes) =>
        bytes < Mebibyte * 1024
            ? string.Create(CultureInfo.InvariantCulture, $"{bytes / Mebibyte} MiB")
            : string.Create(CultureInfo.InvariantCulture, $"{bytes / (1024.0 * Mebibyte):0.0} GiB");
}
