using System.IO.Compression;
using System.Xml.Linq;

namespace EventHubThroughput.Repository.Builds.Library;

/// <summary>Reads a package.</summary>
internal static class PackageFile
{
    public static string Of(string folder, string name, string version, string extension = "nupkg") =>
        Path.Combine(folder, $"EventHubThroughput.{name}.{version}.{extension}");

    public static bool Has(string package, string entry)
    {
        using var archive = ZipFile.OpenRead(package);
        return archive.GetEntry(entry) is not null;
    }

    public static byte[] ReadBytes(string package, string entry)
    {
        using var archive = ZipFile.OpenRead(package);
        using var content = (archive.GetEntry(entry) ?? throw new FileNotFoundException($"{package} has no {entry}")).Open();
        using var copy = new MemoryStream();
        content.CopyTo(copy);
        return copy.ToArray();
    }

    public static string ReadText(string package, string entry)
    {
        using var reader = new StreamReader(new MemoryStream(ReadBytes(package, entry)));
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }

    public static XDocument ReadNuspec(string package, string name)
    {
        using var content = new MemoryStream(ReadBytes(package, $"EventHubThroughput.{name}.nuspec"));
        return XDocument.Load(content);
    }
}
