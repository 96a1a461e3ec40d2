using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Profiles;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

public sealed class ProfileHashTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("profiles-");

    [Fact]
    public void Differs_between_profiles() =>
        Assert.Equal(LatencyProfiles.Names.Count, LatencyProfiles.Names.Select(ProfileHash.Of).OfType<string>().Distinct(StringComparer.Ordinal).Count());

    [Fact]
    public async Task Is_that_of_the_profile_and_not_of_its_file()
    {
        var path = Path.Combine(folder.FullName, "mine.json");
        await File.WriteAllTextAsync(path, """{ "name": "article-spread" }""", TestContext.Current.CancellationToken);

        Assert.Equal(ProfileHash.Of("article-spread"), ProfileHash.Of(path));
    }

    [Fact]
    public void Is_not_known_of_a_file_that_has_gone() => Assert.Null(ProfileHash.Of(Path.Combine(folder.FullName, "gone.json")));

    public void Dispose() => folder.Delete(recursive: true);
}
