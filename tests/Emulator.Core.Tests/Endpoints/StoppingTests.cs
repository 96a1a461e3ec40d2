using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

public sealed class StoppingTests : RunningEmulator
{
    [Fact]
    public async Task Open_connections_are_closed_and_waiting_readers_end()
    {
        await using var peer = await Peer.ConnectAsync(EventHubs);
        await peer.PutTokenAsync("hub");
        var receiver = await peer.ReceiverAsync("hub/ConsumerGroups/$Default/Partitions/0", 10);
        await Host.DisposeAsync();
        await receiver.Completion;
        await peer.Connection.Completion;
        Assert.False(peer.Connection.IsOpen);
    }
}
