using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Samples;

public sealed class EmulatorFixture : IAsyncLifetime
{
    public EmulatorHost Emulator { get; private set; } = null!;

    public async ValueTask InitializeAsync() => Emulator = await EmulatorHost.StartAsync(new EmulatorOptions(), TestContext.Current.CancellationToken);

    public ValueTask DisposeAsync() => Emulator.DisposeAsync();
}
