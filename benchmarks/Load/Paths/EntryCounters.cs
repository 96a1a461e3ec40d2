namespace EventHubThroughput.Load.Paths;

/// <summary>
/// Counts how often each place was passed in a process that runs a <see cref="CountingCopy"/>. The process writes the counts to a file at its end.
/// </summary>
#pragma warning disable CA1515 // The counted assemblies call it.
public static class EntryCounters
#pragma warning restore CA1515
{
    /// <summary>The variable that names the file. The name of the program is appended, because programs start others.</summary>
    public const string FileVariable = "EHT_ENTRY_COUNTS";

    /// <summary>The most places that are counted.</summary>
    public const int Most = 65_536;

    private static readonly long[] Counts = new long[Most];

    static EntryCounters() => AppDomain.CurrentDomain.ProcessExit += static (_, _) => Write();

    /// <summary>Counts a pass of a place. The code that the copy adds calls it.</summary>
    public static void Count(int place) => Interlocked.Increment(ref Counts[place]);

    private static void Write()
    {
        if (Environment.GetEnvironmentVariable(FileVariable) is { } file)
        {
            File.WriteAllLines($"{file}.{System.Reflection.Assembly.GetEntryAssembly()!.GetName().Name}", Counts.Select(static count => $"{count}"));
        }
    }
}
