using System.Reflection;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Library;

/// <summary>
/// The promise of the packages, a file for each assembly in <c>Api</c>: additions, changes and removals are seen there. After a planned change,
/// <c>EHT_APPROVE=1</c> writes the files again.
/// </summary>
public sealed class ApiListingTests
{
    [Theory]
    [InlineData("Amqp")]
    [InlineData("Clients")]
    [InlineData("Clients.Azure")]
    [InlineData("Events")]
    [InlineData("Hosting")]
    [InlineData("Processing")]
    [InlineData("Processing.Azure")]
    [InlineData("Pump")]
    [InlineData("Pump.Azure")]
    [InlineData("Strategies")]
    [InlineData("Strategies.Contract")]
    [InlineData("VirtualTime")]
    public async Task The_public_API_is_the_approved_one(string library)
    {
        var file = RepositoryFiles.GetPath("tests", "Repository.Tests", "Library", "Api", $"{library}.txt");
        var listing = ApiListing.Of(Assembly.Load($"EventHubThroughput.{library}"));
        if (Environment.GetEnvironmentVariable("EHT_APPROVE") == "1")
        {
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            await File.WriteAllTextAsync(file, listing, TestContext.Current.CancellationToken);
        }

        var approved = File.Exists(file) ? await File.ReadAllLinesAsync(file, TestContext.Current.CancellationToken) : [];
        Assert.Equal(approved, listing.TrimEnd('\n').Split('\n'));
    }
}
