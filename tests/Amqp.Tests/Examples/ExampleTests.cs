using EventHubThroughput.Testing;
using Xunit;

namespace Examples;

/// <summary>The examples of the package's readme: they are these files, and they run.</summary>
public sealed class ExampleTests
{
    [Fact]
    public async Task The_client_sends_to_the_listener_and_takes_it_back()
    {
        await using var listener = BoxExample.Listen(port: 0);
        var said = await ClientExample.RunAsync("127.0.0.1", listener.LocalEndPoint.Port, "hello", TestContext.Current.CancellationToken);
        Assert.Equal("Accepted: hello", said);
    }

    [Theory]
    [InlineData("ClientExample.cs")]
    [InlineData("BoxExample.cs")]
    public async Task The_readme_shows_the_example_word_for_word(string file)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var readme = await File.ReadAllTextAsync(RepositoryFiles.GetPath("src", "Amqp", "README.md"), cancellationToken);
        var example = await File.ReadAllTextAsync(RepositoryFiles.GetPath("tests", "Amqp.Tests", "Examples", file), cancellationToken);
        Assert.Contains($"```csharp\n{example}```", readme, StringComparison.Ordinal);
    }
}
