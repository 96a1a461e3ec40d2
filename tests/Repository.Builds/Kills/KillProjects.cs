using System.Text.RegularExpressions;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Builds.Kills;

/// <summary>
/// The projects that are killed and are not examples: consumers without a pump, and the examples that print each event, with writes in the place of
/// their output. All of them are built beside the examples, on packages.
/// </summary>
internal static partial class KillProjects
{
    /// <summary>Consumers without a package of this repository.</summary>
    public const string Counterparts = "Counterparts";

    private static readonly string[] Printing = ["Handler", "HostedHandler"];

    private const string PumpPackage = "EventHubThroughput.Pump.Azure";

    // The official packages, and Microsoft.Azure.Amqp in a version that every feed has (NU1603).
    private const string Additions = """
          <ItemGroup>
            <Compile Include="FILES" />
            <PackageReference Include="Azure.Messaging.EventHubs" Version="5.12.2" />
            <PackageReference Include="Azure.Messaging.ServiceBus" Version="7.21.0" />
            <PackageReference Include="Azure.Storage.Blobs" Version="12.30.1" />
            <PackageReference Include="Microsoft.Azure.Amqp" Version="2.7.3" />
          </ItemGroup>

        </Project>
        """;

    /// <summary>The project of an example that is judged: the example itself if it writes, otherwise its copy.</summary>
    public static string Of(string example) => Printing.Contains(example) ? $"Judged.{example}" : example;

    /// <summary>Writes the projects into the folder of the examples.</summary>
    /// <returns>Their lines of the solution.</returns>
    public static async Task<IEnumerable<string>> WriteAsync(string examples)
    {
        var counterparts = Path.Combine(examples, Counterparts);
        Copy(RepositoryFiles.GetPath("tests", "Repository.Builds", "Kills", Counterparts), counterparts);
        await WriteProjectAsync(
            Path.Combine(examples, "PumpedProcessor", "PumpedProcessor.csproj"),
            Path.Combine(counterparts, $"{Counterparts}.csproj"),
            "ClientOfBlobs",
            "BlobCheckpoints",
            "EventWrites",
            "Setting"
        );
        foreach (var example in Printing)
        {
            var project = Path.Combine(examples, Of(example));
            Copy(Path.Combine(examples, example), project);
            Copy(RepositoryFiles.GetPath("tests", "Repository.Builds", "Kills", "Judged"), project);
            await ReplaceOutputAsync(Path.Combine(project, "Program.cs"));
            File.Delete(Path.Combine(project, $"{example}.csproj"));
            await WriteProjectAsync(
                Path.Combine(examples, example, $"{example}.csproj"),
                Path.Combine(project, $"{Of(example)}.csproj"),
                "EventWrites",
                "Setting"
            );
        }

        return from name in Printing.Select(Of).Append(Counterparts)
            select $"  <Project Path=\"{name}/{name}.csproj\" />\n";
    }

    // The project of an example, with official packages in the place of our pump and with files of PumpedProcessor.
    private static async Task WriteProjectAsync(string example, string project, params string[] files)
    {
        var lines = (await File.ReadAllLinesAsync(example)).Where(static line =>
            !line.Contains($"\"{PumpPackage}\"", StringComparison.Ordinal) && !line.Contains("\"Azure.", StringComparison.Ordinal)
        );
        var added = Additions.Replace("FILES", string.Join(';', files.Select(static file => $"../PumpedProcessor/{file}.cs")), StringComparison.Ordinal);
        await File.WriteAllTextAsync(project, string.Join('\n', lines).Replace("</Project>", added, StringComparison.Ordinal));
    }

    private static async Task ReplaceOutputAsync(string program)
    {
        var text = await File.ReadAllTextAsync(program);
        var replaced = Output().Replace(text, "PumpedProcessor.JudgedWrites.WriteAsync(${event})");
        Assert.NotEqual(text, replaced);
        await File.WriteAllTextAsync(program, replaced);
    }

    private static void Copy(string source, string target)
    {
        Directory.CreateDirectory(target);
        foreach (var file in Directory.EnumerateFiles(source))
        {
            File.Copy(file, Path.Combine(target, Path.GetFileName(file)));
        }
    }

    // Console.Out.WriteLineAsync($"{received.PartitionId}/{received.SequenceNumber}: ...")
    [GeneratedRegex(
        """Console\.Out\.WriteLineAsync\(\$"\{(?<event>[\w.]+)\.PartitionId\}/[^"]*"\)""",
        RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex Output();
}
