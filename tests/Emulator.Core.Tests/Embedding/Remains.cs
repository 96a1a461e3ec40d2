using System.Net;
using System.Net.Sockets;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Embedding;

/// <summary>What emulators could leave in their process: threads, ports, descriptors. Threads and descriptors are read from /proc, so on Linux only.</summary>
internal static class Remains
{
    private const int MostLooks = 20_000;

    /// <summary>The names of the threads that are not the runtime's, sorted.</summary>
    public static string[] Threads() =>
        OperatingSystem.IsLinux()
            ?
            [
                .. Directory
                    .GetDirectories("/proc/self/task")
                    .Select(GetName)
                    .Where(static name => name.Length > 0 && !name.StartsWith(".NET", StringComparison.Ordinal))
                    .Order(),
            ]
            : [];

    /// <summary>
    /// That there are no other threads than before. The system removes a thread a moment after it was joined, so this looks again, a limited number of times.
    /// </summary>
    public static void AssertThreads(string[] before)
    {
        for (var look = 0; look < MostLooks && Others(before).Count > 0; look++)
        {
            Thread.Yield();
        }

        Assert.Empty(Others(before));
    }

    /// <summary>That nothing listens on a port any more.</summary>
    public static void AssertFree(IPAddress address, int port)
    {
        using var listener = new TcpListener(address, port);
        listener.Start();
    }

    /// <summary>That no descriptor of this process is open for a file in a folder, deleted ones included.</summary>
    public static void AssertClosed(string folder) =>
        Assert.Empty(
            OperatingSystem.IsLinux()
                ? Directory.GetFiles("/proc/self/fd").Select(GetTarget).Where(target => target.StartsWith(folder, StringComparison.Ordinal))
                : []
        );

    private static List<string> Others(string[] before)
    {
        List<string> others = [.. Threads()];
        foreach (var name in before)
        {
            others.Remove(name);
        }

        return others;
    }

    private static string GetName(string task)
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, "comm")).Trim();
        }
        catch (IOException)
        {
            // It has ended.
            return string.Empty;
        }
    }

    private static string GetTarget(string descriptor)
    {
        try
        {
            return new FileInfo(descriptor).LinkTarget ?? string.Empty;
        }
        catch (IOException)
        {
            // It was closed in the meantime.
            return string.Empty;
        }
    }
}
