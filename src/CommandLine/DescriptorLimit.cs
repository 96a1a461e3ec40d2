using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace EventHubThroughput.CommandLine;

/// <summary>
/// The limit of open files, pipes and connections of the process. With too few descriptors the runtime fails in arbitrary calls. A program therefore checks the
/// limit first, before it does anything that needs a descriptor.
/// </summary>
public static partial class DescriptorLimit
{
    private const int OfLinux = 7;
    private const int OfMacOS = 8;
    private const int StandardError = 2;

    /// <summary>The limit in force. <see cref="long.MaxValue"/> if there is no limit or it is unknown.</summary>
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

    /// <summary>Whether the limit allows a program to start. If not, reports it on standard error.</summary>
    /// <param name="program">The name of the program.</param>
    /// <param name="needed">The descriptors that it needs.</param>
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
