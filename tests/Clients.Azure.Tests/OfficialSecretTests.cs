using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>The packages log more than the client requests. All of it, at their most verbose, is searched for keys and signatures.</summary>
public sealed class OfficialSecretTests : EmulatedTests
{
    [Fact(Timeout = Limit)]
    public async Task No_key_and_no_signature_is_in_any_log_or_error_of_the_packages()
    {
        using var said = new LoggedText();
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        List<string> errors = [];

        await DoAllAsync(services.Connect(OfficialClients.Family));
        foreach (var variable in (string[])["EVENTHUB_CONNECTION_STRING", "SERVICEBUS_CONNECTION_STRING"])
        {
            var wrong = services.With(variable, static text => text.Replace("SharedAccessKey=", "SharedAccessKey=QUJD", StringComparison.Ordinal));
            errors.Add((await Assert.ThrowsAsync<MessagingException>(() => DoAllAsync(services.Connect(OfficialClients.Family, wrong)))).ToString());
        }

        var wrongAccount = services.With("STORAGE_CONNECTION_STRING", static text => text.Replace("AccountKey=", "AccountKey=QUJD", StringComparison.Ordinal));
        errors.Add((await Assert.ThrowsAsync<MessagingException>(() => DoAllAsync(services.Connect(OfficialClients.Family, wrongAccount)))).ToString());

        string[] secrets =
        [
            services.Settings.EventHub.Key!,
            services.Settings.ServiceBus!.Key!,
            Convert.ToBase64String(services.Settings.Storage!.AccountKey.Span),
            "SharedAccessSignature sr=",
            "SharedAccessKey=",
            SharedKeySignature.Scheme,
        ];
        Assert.Contains(said.Lines, static line => line.Contains("hub", StringComparison.Ordinal));
        Assert.Contains(said.Sources, static source => source.Contains("EventHubs", StringComparison.Ordinal));
        Assert.Contains(said.Sources, static source => source.Contains("ServiceBus", StringComparison.Ordinal));
        Assert.Contains(said.Sources, static source => source.Contains("Azure-Core", StringComparison.Ordinal));
        Assert.All(said.Lines.Concat(errors), line => Assert.DoesNotContain(secrets, secret => line.Contains(secret, StringComparison.Ordinal)));
    }

    private static async Task DoAllAsync(IMessagingClients clients)
    {
        await using var writer = clients.CreateEventHubWriter();
        var batch = await writer.CreateBatchAsync(null, "0", Token);
        batch.TryAdd(Event("e"));
        await writer.SendAsync(batch, Token);
        var recorder = new RecordingPartitions(checkpoints: true);
        await using (var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder))
        {
            await recorder.UntilCountAsync(1, Token);
            await running.StopAsync();
        }

        await using var sender = clients.CreateMessageSender("queue");
        await sender.SendAsync(new OutgoingMessage { MessageId = "m", Body = new byte[] { 1 } }, Token);
        await clients.GetBlobContainer("archive").UploadAsync(new BlobUpload { Name = $"{Guid.NewGuid():n}", Content = new byte[] { 1 } }, Token);
    }
}
