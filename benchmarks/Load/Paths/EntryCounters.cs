namespace EventHubThroughput.Load.Paths;

/// <summary>How often each counted place was passed, in a process that runs a <see cref="CountingCopy"/>; written to a file at the end of the process.</summary>
#pragma warning disable CA1515 // The counted assemblies call it.
public static class EntryCounters
#pragma warning restore CA1515
{
    /// <summary>The variable that names the file; the name of the program is appended, since programs start others.</summary>
    public const string FileVariable = "EHT_ENTRY_COUNTS";

    /// <summary>The most places that are counted.</summary>
    public const int Most = 65_536;

    private static readonly long[] Counts = new long[Most];

    static EntryCounters() => AppDomain.CurrentDomain.ProcessExit += static (_, _) => Write();

    /// <summary>Counts a place; called by the code that a copy adds.</summary>
    public static void Count(int place) => Interlocked.Increment(ref Counts[place]);

    private static void Write()
    {
        if (Environment.GetEnvironmentVariable(FileVariable) is { } file)
        {
            File.WriteAllLines($"{file}.{System.Reflection.Assembly.GetEntryAssembly()!.GetName().Name}", Counts.Select(static count => $"{count}"));
        }
    }
}
