using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace EventHubThroughput.CommandLine;

/// <summary>
/// How many files, pipes and connections the process may have open at once. With too few of them the runtime fails at any call, in
/// whatever way, so a program asks before it does anything else, with nothing that needs one more.
/// </summary>
public static partial class DescriptorLimit
{
    private const int OfLinux = 7;
    private const int OfMacOS = 8;
    private const int StandardError = 2;

    /// <summary>The limit in force; <see cref="long.MaxValue"/> where there is none or nobody says.</summary>
    public static long InForce
    {
        get
        {
            if (OperatingSystem.IsWindows() || GetLimit(OperatingSystem.IsLinux() ? OfLinux : OfMacOS, out var limit) != 0)
            {
                return long.MaxValue;
            }

            return limit.InForce > long.MaxValue ? long.MaxValue : (long)limit.InForce;
        }
    }

    /// <summary>Whether a program has as many as it needs to start; says on standard error when it has not.</summary>
    /// <param name="program">Its name.</param>
    /// <param name="needed">What it needs.</param>
    public static bool Suffices(string program, int needed)
    {
        var limit = InForce;
        if (needed <= limit)
        {
            return true;
        }

        var text = Encoding.UTF8.GetBytes(
            string.Create(
                CultureInfo.InvariantCulture,
                $"error: {program} needs about {needed} file descriptors, the limit is {limit}. Raise it with ulimit -n\n"
            )
        );
        _ = Write(StandardError, ref MemoryMarshal.GetArrayDataReference(text), (nuint)text.Length);
        return false;
    }

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int GetLimit(int resource, out Limit limit);

    [LibraryImport("libc", EntryPoint = "write")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint Write(int descriptor, ref byte bytes, nuint count);

    [StructLayout(LayoutKind.Sequential)]
    private readonly struct Limit
    {
        public readonly nuint InForce;
        public readonly nuint Highest;
    }
}
