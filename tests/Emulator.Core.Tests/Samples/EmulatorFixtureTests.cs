using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Samples;

/// <summary>The fixture that docs/emulator.md shows, as a user of xunit has it.</summary>
public sealed class EmulatorFixtureTests(EmulatorFixture fixture) : IClassFixture<EmulatorFixture>
{
    [Fact]
    public async Task An_emulator_of_the_fixture_answers()
    {
        using var client = new HttpClient { BaseAddress = fixture.Emulator.AdministrationAddress };

        Assert.Equal("ready\n", await client.GetStringAsync(new Uri("/healthz", UriKind.Relative), TestContext.Current.CancellationToken));
    }
}
