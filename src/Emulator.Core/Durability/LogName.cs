using System.Security.Cryptography;
using System.Text;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>
/// The names of the files of logs: the entity's, percent-escaped and without upper case, so that a slash is no folder and names
/// that differ in case are one entity. A name too long for a file is told by its hash. A file beside the log says it in full.
/// </summary>
internal static class LogName
{
    public const string Extension = ".log";

    private const string FullNameExtension = ".name";

    // File systems allow 255 bytes, of which a rewrite beside the log takes a few.
    private const int LargestEscaped = 150;
    private const int Kept = 80;

    // Far more than the longest name of an entity, escaped.
    private const int LargestFullName = 4_096;

    /// <summary>The file of an entity's log.</summary>
    public static string FileOf(string folder, string entity) => Path.Combine(folder, FileName(Escape(entity)) + Extension);

    /// <summary>The entity's name, without upper case.</summary>
    /// <exception cref="EmulatorException">The file beside it cannot be read, or is too large.</exception>
    public static string NameOf(string file)
    {
        var fullName = FullNameFile(file);
        return Uri.UnescapeDataString(File.Exists(fullName) ? ReadFullName(fullName) : Path.GetFileNameWithoutExtension(file));
    }

    /// <summary>To be called before the log is made: a log without its name could not be found again.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public static void Keep(string file, string entity)
    {
        var (escaped, fullName) = (Escape(entity), FullNameFile(file));
        if (escaped.Length > LargestEscaped && !File.Exists(fullName))
        {
            WholeFile.Write(fullName, Encoding.ASCII.GetBytes(escaped));
        }
    }

    /// <summary>To be called after the log is gone.</summary>
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
