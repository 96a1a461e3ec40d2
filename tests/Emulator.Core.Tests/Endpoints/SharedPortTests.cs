using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

/// <summary>Event Hubs and Service Bus on one port, for clients that support only 5672.</summary>
public sealed class SharedPortTests : IDisposable
{
    private const int Attempts = 10;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("shared-port-");

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Both_services_are_there_and_stay_there_over_a_restart()
    {
        // Ports are free for a moment only while other tests take some. Then try again with another one.
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            var port = FreePort.Next();
            var data = Path.Combine(_folder.FullName, $"{attempt}");
            if (
                await TryAsync(
                    new EmulatorOptions
                    {
                        EventHubsPort = port,
                        ServiceBusPort = port,
                        DataPath = data,
                    },
                    already: 0
                )
                // What both of them shared need not be asked for again.
                && await TryAsync(new EmulatorOptions { DataPath = data }, already: 1)
            )
            {
                return;
            }
        }

        Assert.Fail("no port stayed free");
    }

    [Fact]
    public async Task A_port_asked_for_by_one_service_and_shared_at_the_last_start_is_not_exchanged_for_a_free_one()
    {
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            var port = FreePort.Next();
            var data = Path.Combine(_folder.FullName, $"{attempt}");
            if (
                await TryAsync(
                    new EmulatorOptions
                    {
                        EventHubsPort = port,
                        ServiceBusPort = port,
                        DataPath = data,
                    },
                    already: 0
                ) && TryTake(port) is { } taken
            )
            {
                using (taken)
                {
                    var failure = await Assert.ThrowsAsync<EmulatorException>(async () =>
                        await EmulatorHost.StartAsync(new EmulatorOptions { ServiceBusPort = port, DataPath = data }, Cancellation)
                    );
                    Assert.Equal((EmulatorErrorKind.PortInUse, $"ServiceBusPort {port}: in use. Use 0 for a free one"), (failure.Kind, failure.Message));
                    return;
                }
            }
        }

        Assert.Fail("no port stayed free");
    }

    private static async Task<bool> TryAsync(EmulatorOptions options, int already)
    {
        try
        {
            await using var host = await EmulatorHost.StartAsync(options, Cancellation);
            if (host.Notices.Count > 0)
            {
                return false;
            }

            await UseAsync(host, already);
            return true;
        }
        catch (EmulatorException failure) when (failure.Kind == EmulatorErrorKind.PortInUse)
        {
            return false;
        }
    }

    private static async Task UseAsync(EmulatorHost host, int already)
    {
        Assert.Equal(host.Settings["EVENTHUB_CONNECTION_STRING"], host.Settings["SERVICEBUS_CONNECTION_STRING"]);
        await using var peer = await Peer.ConnectAsync(host.Settings["SERVICEBUS_CONNECTION_STRING"]);
        foreach (var entity in (string[])["hub", "queue"])
        {
            Assert.Equal(202, await peer.PutTokenAsync(entity));
            var sender = await peer.SenderAsync(entity);
            Assert.IsType<Accepted>(await sender.SendAsync(Encoded.Message(entity), 0, Cancellation));
        }

        Assert.Equal(already + 1, host.Hub.Partitions.Sum(static partition => partition.State.Count));
        Assert.Equal(already + 1, host.Queue.Count);
    }

    private static TcpListener? TryTake(int port)
    {
        var listener = new TcpListener(IPAddress.Loopback, port);
        try
        {
            listener.Start();
            return listener;
        }
        catch (SocketException)
        {
            listener.Dispose();
            return null;
        }
    }
}
