using Lite = global::Amqp;

namespace EventHubThroughput.Load.Wire;

/// <summary>AMQPNetLite.</summary>
internal sealed class LiteWireListener : IWireListener
{
    private readonly Lite.Listener.ContainerHost host;

    public LiteWireListener()
    {
        Port = WireRows.FindFreePort();
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

    private sealed class Acceptor : Lite.Listener.IMessageProcessor
    {
        public int Credit => (int)WireRows.Credit;

        public void Process(Lite.Listener.MessageContext messageContext) => messageContext.Complete();
    }
}
