using System.Net;
using System.Net.Sockets;
using Lite = global::Amqp;

namespace EventHubThroughput.Load.Wire;

/// <summary>AMQPNetLite.</summary>
internal sealed class LiteWireListener : IWireListener
{
    private readonly Lite.Listener.ContainerHost host;

    public LiteWireListener()
    {
        Port = FreePort();
        host = new Lite.Listener.ContainerHost(new Lite.Address("127.0.0.1", Port, null, null, "/", "amqp"));
        host.RegisterMessageProcessor(WireRows.Address, new Acceptor());
        host.Open();
    }

    public int Port { get; }

    public ValueTask DisposeAsync()
    {
        host.Close();
        return ValueTask.CompletedTask;
    }

    // The library does not report its port.
    private static int FreePort()
    {
        using var probe = new Socket(SocketType.Stream, ProtocolType.Tcp);
        probe.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)probe.LocalEndPoint!).Port;
    }

    private sealed class Acceptor : Lite.Listener.IMessageProcessor
    {
        public int Credit => (int)WireRows.Credit;

        public void Process(Lite.Listener.MessageContext messageContext) => messageContext.Complete();
    }
}
