using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

/// <summary>An emulator in this process, for one test class at a time.</summary>
public abstract class RunningEmulator : IAsyncLifetime
{
    private EmulatorHost? _host;
    private string? _journal;

    internal EmulatorHost Host => _host ?? throw new InvalidOperationException("not started");

    private protected static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private protected string EventHubs => Host.Settings["EVENTHUB_CONNECTION_STRING"];

    private protected string ServiceBus => Host.Settings["SERVICEBUS_CONNECTION_STRING"];

    public async ValueTask InitializeAsync()
    {
        var options = Options();
        _journal = options.JournalPath;
        _host = await EmulatorHost.StartAsync(options, Cancellation);
    }

    public async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        if (_host is not null)
        {
            await _host.DisposeAsync();
        }

        if (_journal is not null)
        {
            File.Delete(_journal);
        }
    }

    private protected virtual EmulatorOptions Options() => new();
}
