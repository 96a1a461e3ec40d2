using System.Text;
using System.Text.RegularExpressions;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Profiles;
using EventHubThroughput.Settings.Json;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection.Faults;

/// <summary>What docs/laboratory.md shows is what the emulator takes.</summary>
public sealed partial class FaultInjectionDocumentTests
{
    private static readonly string Text = File.ReadAllText(Find());

    [Fact]
    public void Its_profile_can_be_read() => Assert.Equal("mine", ProfileReader.Read(Example("profile.json")).Name);

    [Fact]
    public void Its_faults_can_be_read() => Assert.NotEmpty(FaultReader.Read(Example("faults.json")));

    [Fact]
    public void Its_catalogue_is_that_of_the_code()
    {
        var rows = FaultCatalogue.All.Select(static fault => $"| `{fault.Name}` | {fault.What} |");
        Assert.Equal(rows, Text.Split('\n').Where(static line => CatalogueRow().IsMatch(line)));
    }

    [Fact]
    public void Names_every_profile_operation_point_action_and_reason()
    {
        IEnumerable<string> names =
        [
            .. LatencyProfiles.Names,
            .. LatencyProfile.Operations.Select(ProfileReader.GetName),
            .. Enum.GetValues<FaultPoint>().Select(FaultEngine.GetName),
            .. Enum.GetValues<FaultAction>().Select(FaultEngine.GetName),
            .. FaultReason.Names,
        ];
        Assert.All(names, static name => Assert.Contains($"`{name}`", Text, StringComparison.Ordinal));
    }

    private static SettingsDocument Example(string name)
    {
        var start = Text.IndexOf("```json", Text.IndexOf($"`{name}`:", StringComparison.Ordinal), StringComparison.Ordinal) + "```json".Length;
        return SettingsDocument.Parse(name, Encoding.UTF8.GetBytes(Text[start..Text.IndexOf("```", start, StringComparison.Ordinal)]));
    }

    private static string Find()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "docs", "laboratory.md")))
        {
            folder = folder.Parent ?? throw new FileNotFoundException("docs/laboratory.md");
        }

        return Path.Combine(folder.FullName, "docs", "laboratory.md");
    }

    [GeneratedRegex(
        "^\\| `(F[0-9]|twice|redelivery|poison-|corrupt-|slow-reads|no-)",
        RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex CatalogueRow();
}
