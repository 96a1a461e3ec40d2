using System.Net;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Embedding;

/// <summary>The library in the process of its user, as a test of an application starts it.</summary>
[Collection<AloneCollection>]
public sealed class TwoEmulatorsTests : IDisposable
{
    private readonly CountingTime time = new();
    private readonly string folder = Directory.CreateTempSubdirectory("two-emulators-").FullName;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => Directory.Delete(folder, recursive: true);

    [Fact]
    public async Task Two_concurrent_emulators_serve_all_three_services_and_leave_no_traces()
    {
        var threads = Remains.Threads();

        EmulatorHost[] two = [await StartedAsync(InMemory), await StartedAsync(OnDisk)];
        await Task.WhenAll(two.Select(UseAsync));
        await Task.WhenAll(two.Select(static emulator => emulator.DisposeAsync().AsTask()));

        Remains.AssertThreads(threads);
        Assert.Equal(0, time.Timers);
        Assert.All(two.SelectMany(GetPorts), static port => Remains.AssertFree(IPAddress.Loopback, port));
        Remains.AssertClosed(folder);
        Assert.False(Directory.Exists(Path.GetDirectoryName(two[0].Settings["EMULATOR_TLS_CERTIFICATE"])));
    }

    private EmulatorOptions InMemory =>
        new()
        {
            TimeProvider = time,
            TlsPort = 0,
            AdminTlsPort = 0,
            SpillPath = folder,
            JournalPath = Path.Combine(folder, "journal.jsonl"),
        };

    private EmulatorOptions OnDisk => new() { TimeProvider = time, DataPath = Path.Combine(folder, "data") };

    private static Task<EmulatorHost> StartedAsync(EmulatorOptions options) => EmulatorHost.StartAsync(options, Cancellation);

    private static async Task UseAsync(EmulatorHost emulator)
    {
        var settings = MessagingSettings.FromEnvironment(emulator.Settings.GetValueOrDefault, SettingsScope.Consumer).Settings!;
        await using var clients = new BuiltInClients(settings, new BuiltInClientOptions());
        await using var writer = clients.CreateEventHubWriter();
        var batch = await writer.CreateBatchAsync("key", null, Cancellation);
        Assert.True(batch.TryAdd(new OutgoingEvent { Body = new byte[] { 1 } }));
        await writer.SendAsync(batch, Cancellation);
        await using var sender = clients.CreateMessageSender("queue");
        await sender.SendAsync(new OutgoingMessage { MessageId = "m", Body = new byte[] { 1 } }, Cancellation);
        await clients.GetBlobContainer("archive").UploadAsync(new BlobUpload { Name = "b", Content = new byte[] { 1 } }, Cancellation);
    }

    private static IEnumerable<int> GetPorts(EmulatorHost emulator) =>
        emulator
            .Settings.Where(static setting => setting.Key.EndsWith("STRING", StringComparison.Ordinal) || setting.Key.EndsWith("URL", StringComparison.Ordinal))
            .Select(static setting => GetPort(setting.Value))
            .Distinct();

    private static int GetPort(string text) =>
        int.Parse(text.Split("127.0.0.1:", 2)[^1].Split("localhost:", 2)[^1].Split('/', ';')[0], System.Globalization.CultureInfo.InvariantCulture);
}
