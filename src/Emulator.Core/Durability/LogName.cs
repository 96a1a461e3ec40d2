using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>
/// The names of log files: the name of the entity, percent-escaped and in lower case. A slash therefore creates no folder, and names that differ only in case
/// are one entity. A name that is too long for a file is replaced by its hash. A file next to the log holds the full name.
/// </summary>
internal static class LogName
{
    public const string Extension = ".log";

    private const string FullNameExtension = ".name";

    // File systems allow 255 bytes. A rewrite next to the log adds a few of them.
    private const int LargestEscaped = 150;
    private const int Kept = 80;

    // Far more than the longest name of an entity, escaped.
    private const int LargestFullName = 4_096;

    /// <summary>The log file of an entity.</summary>
    public static string GetFile(string folder, string entity) => Path.Combine(folder, FileName(Escape(entity)) + Extension);

    /// <summary>The name of the entity, in lower case.</summary>
    /// <exception cref="EmulatorException">The file with the full name cannot be read, or is too large.</exception>
    public static string GetName(string file)
    {
        var fullName = FullNameFile(file);
        return Uri.UnescapeDataString(File.Exists(fullName) ? ReadFullName(fullName) : Path.GetFileNameWithoutExtension(file));
    }

    /// <summary>Call it before the log is created, because a log without its name could not be found again.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Keep(string file, string entity)
    {
        var (escaped, fullName) = (Escape(entity), FullNameFile(file));
        if (escaped.Length > LargestEscaped && !File.Exists(fullName))
        {
            WholeFile.Write(fullName, Encoding.ASCII.GetBytes(escaped));
        }
    }

    /// <summary>Call it after the log is deleted.</summary>
    public static void Forget(string file) => File.Delete(FullNameFile(file));

    private static string ReadFullName(string path) =>
        NamedFile.TryRead(path, LargestFullName, out var problem) is { } name
            ? Encoding.ASCII.GetString(name)
            : throw new EmulatorException(EmulatorErrorKind.InvalidInput, $"{path}: {problem}");

    private static string Escape(string entity) => Uri.EscapeDataString(entity.ToLowerInvariant());

    private static string FileName(string escaped) =>
        escaped.Length <= LargestEscaped ? escaped : $"{escaped[..Kept]}~{Convert.ToHexStringLower(SHA256.HashData(Encoding.ASCII.GetBytes(escaped)))}";

    private static string FullNameFile(string file) => Path.ChangeExtension(file, FullNameExtension);
}
