using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>A checkpoint whose position the hub cannot read, as an offset of a geo-replicated namespace is for any other one.</summary>
public sealed class UnreadablePositionTests : EmulatedTests
{
    private const string Offset = "1:77:1408";

    private static readonly Dictionary<string, ClientFamily> Families = new(StringComparer.Ordinal)
    {
        [ClientFamily.BuiltIn.Name] = ClientFamily.BuiltIn,
        [ClientFamily.Official] = OfficialClients.Family,
    };

    [Theory(Timeout = Limit)]
    [InlineData("official", "other", " that 'other' wrote")]
    [InlineData("builtin", "other", " that 'other' wrote")]
    [InlineData("official", "", "")]
    [InlineData("builtin", "", "")]
    public async Task Partition_position_and_source_are_named(string family, string writer, string shownWriter)
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var clients = services.Connect(Families[family]);
        await clients.GetBlobContainer(services.Settings.CheckpointContainer).CreateIfMissingAsync(Token);
        var position = new EventPosition(EventPosition.UnknownSequenceNumber, Offset);
        await clients.CheckpointStore.WriteCheckpointAsync("0", position, writer, previous: null, fenced: true, Token);
        var processor = clients.CreateProcessor(Quick("one"), new RecordingPartitions().OpenHandler);
        var failure = await Assert.ThrowsAsync<MessagingException>(() => processor.RunAsync(Token));
        Assert.Equal(FailureKind.Permanent, failure.Kind);
        Assert.StartsWith(
            $"event hub 'hub' partition 0 cannot be read after offset '{Offset}' of the checkpoint in container 'checkpoints'{shownWriter}: ",
            failure.Message,
            StringComparison.Ordinal
        );
        Assert.Contains("The filter of the receiver is not supported", failure.Message, StringComparison.Ordinal);
    }

    // The package's processor starts after the sequence number where there is one.
    [Fact(Timeout = Limit)]
    public async Task An_unused_offset_that_is_not_a_number_is_reported()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var told = new TaskCompletionSource<string>();
        await using var clients = OfficialClients.Family.Connect(services.Settings, new ClientOptions { Notice = text => told.TrySetResult(text) });
        await clients.GetBlobContainer(services.Settings.CheckpointContainer).CreateIfMissingAsync(Token);
        await clients.CheckpointStore.WriteCheckpointAsync("0", new EventPosition(9, Offset), "other", previous: null, fenced: true, Token);
        var recorder = new RecordingPartitions();
        await using var running = Running.Start(clients.CreateProcessor(Quick("one"), recorder.OpenHandler), recorder);
        Assert.Equal(
            $"partition 0 is read after sequence number 9 of the checkpoint in container 'checkpoints' that 'other' wrote. Its offset '{Offset}' is not a number and is not used",
            await told.Task.WaitAsync(Token)
        );
    }
}
