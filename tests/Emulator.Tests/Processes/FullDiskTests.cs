using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Emulator.Core.Tests.Endpoints;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.Processes;

/// <summary>The executable under a limit of the size of its files: writes fail as they do on a full disk.</summary>
public sealed class FullDiskTests
{
    private const int LargestFile = 256;
    private const int MessageSize = 20_000;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("EVENTHUB_CONNECTION_STRING", "hub/Partitions/0")]
    [InlineData("SERVICEBUS_CONNECTION_STRING", "queue")]
    public async Task A_send_that_does_not_fit_is_refused_and_nothing_before_it_is_lost(string variable, string address)
    {
        var data = Directory.CreateTempSubdirectory("eht-full-");
        try
        {
            var accepted = 0;
            await using (var emulator = await EmulatorProcess.StartAsync($"--data {data.FullName}", LargestFile))
            {
                await using var peer = await Peer.ConnectAsync(emulator.Settings[variable]);
                await peer.PutTokenAsync(address);
                var sender = await peer.SenderAsync(address);
                Rejected? rejected;
                while ((rejected = await sender.SendAsync(Message(accepted), 0, Cancellation) as Rejected) is null)
                {
                    accepted++;
                }

                Assert.Contains(rejected.Error!.Condition.Value, new[] { ErrorCondition.InternalError, ErrorCondition.ResourceLimitExceeded });

                // The link continues, and so does the emulator.
                Assert.IsType<Rejected>(await sender.SendAsync(Message(accepted), 0, Cancellation));
                await emulator.SignalAsync("TERM");
                Assert.Equal(0, (await emulator.EndAsync()).ExitCode);
            }

            Assert.InRange(accepted, 5, LargestFile * 1_024 / MessageSize);
            await using var again = await EmulatorProcess.StartAsync($"--data {data.FullName}");
            await using var reader = await Peer.ConnectAsync(again.Settings[variable]);
            var source = address == "queue" ? "queue" : "hub/ConsumerGroups/$Default/Partitions/0";
            await reader.PutTokenAsync(source);
            var receiver = await reader.ReceiverAsync(source, 100);
            for (var i = 0; i < accepted; i++)
            {
                Assert.Equal($"{i}", AmqpMessage.Decode((await receiver.ReceiveAsync(Cancellation)).Payload).Properties!.MessageId);
            }

            // There is room again.
            await reader.PutTokenAsync(address);
            Assert.IsType<Accepted>(await (await reader.SenderAsync(address)).SendAsync(Message(accepted), 0, Cancellation));
        }
        finally
        {
            data.Delete(recursive: true);
        }
    }

    [Fact]
    public async Task A_blob_that_does_not_fit_is_refused_and_the_others_stay()
    {
        var data = Directory.CreateTempSubdirectory("eht-full-");
        try
        {
            var stored = 0;
            await using (var emulator = await EmulatorProcess.StartAsync($"--data {data.FullName}", LargestFile))
            {
                await using var clients = GetClients(emulator.Settings);
                var container = clients.GetBlobContainer("archive");
                var refused = await Assert.ThrowsAsync<MessagingException>(async () =>
                {
                    while (true)
                    {
                        await container.UploadAsync(new BlobUpload { Name = $"blob{stored}", Content = new byte[MessageSize] }, Cancellation);
                        stored++;
                    }
                });
                Assert.Equal(FailureKind.Throttled, refused.Kind);
                emulator.Kill();
            }

            Assert.InRange(stored, 5, LargestFile * 1_024 / MessageSize);
            await using var again = await EmulatorProcess.StartAsync($"--data {data.FullName}");
            await using var others = GetClients(again.Settings);
            for (var i = 0; i < stored; i++)
            {
                Assert.Equal(MessageSize, (await others.GetBlobContainer("archive").DownloadAsync($"blob{i}", Cancellation)).Length);
            }
        }
        finally
        {
            data.Delete(recursive: true);
        }
    }

    [Theory]
    [InlineData("format.json", "--data {0}: cannot be written (")]
    [InlineData("key", "--data {0}/key: cannot be written (")]
    [InlineData("ports.json", "--data {0}/ports.json: cannot be written (")]
    [InlineData("hubs/hub.log", "hub 'hub': cannot be stored ({0}/hubs/hub.log: ")]
    public async Task A_file_of_the_data_directory_that_cannot_be_written_ends_the_start_with_one_line(string file, string expected)
    {
        var data = Directory.CreateTempSubdirectory("eht-full-");
        try
        {
            if (file != "format.json")
            {
                await using var first = await EmulatorProcess.StartAsync($"--data {data.FullName}");
                await first.SignalAsync("TERM");
                await first.EndAsync();
                File.Delete(Path.Combine(data.FullName, file));
            }

            await using var emulator = await EmulatorProcess.StartAsync($"--data {data.FullName}", fileBlocks: 0);
            var (exitCode, error) = await emulator.EndAsync();

            Assert.Equal((5, 1), (exitCode, error.TrimEnd().Split('\n').Length));
            Assert.StartsWith("error: " + expected.Replace("{0}", data.FullName, StringComparison.Ordinal), error, StringComparison.Ordinal);
        }
        finally
        {
            data.Delete(recursive: true);
        }
    }

    private static ReadOnlyMemory<byte> Message(int id) =>
        new AmqpMessage
        {
            Properties = new MessageProperties { MessageId = $"{id}" },
            Body = MessageBody.OfData(new byte[MessageSize]),
        }.Encode();

    private static BuiltInClients GetClients(IReadOnlyDictionary<string, string> settings) =>
        new(
            MessagingSettings.FromEnvironment(settings.GetValueOrDefault, SettingsScope.Consumer).Settings!,
            new BuiltInClientOptions { Retry = new RetryOptions { UnreachableLimit = TimeSpan.FromMilliseconds(200) } }
        );
}
