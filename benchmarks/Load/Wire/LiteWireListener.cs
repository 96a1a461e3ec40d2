using System.Threading.Channels;
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
        var replies = new Replies();
        host.RegisterMessageProcessor(WireRows.Address, new Acceptor(static () => { }));
        host.RegisterMessageProcessor(WireRows.Requests, new Acceptor(replies.Add));
        host.RegisterMessageSource(WireRows.Replies, replies);
        host.Open();
    }

    public int Port { get; }

    public static Lite.Message CreateEmpty() => new() { BodySection = new Lite.Framing.Data { Binary = [] } };

    public ValueTask DisposeAsync()
    {
        host.Close();
        return ValueTask.CompletedTask;
    }

    private sealed class Acceptor(Action reply) : Lite.Listener.IMessageProcessor
    {
        public int Credit => (int)WireRows.Credit;

        public void Process(Lite.Listener.MessageContext messageContext)
        {
            messageContext.Complete();
            reply();
        }
    }

    private sealed class Replies : Lite.Listener.IMessageSource
    {
        private readonly Channel<Lite.Message> waiting = Channel.CreateBounded<Lite.Message>((int)WireRows.Credit);

        public void Add() => AmqpCommand.Expect(waiting.Writer.TryWrite(CreateEmpty()));

        public async Task<Lite.Listener.ReceiveContext> GetMessageAsync(Lite.Listener.ListenerLink link) => new(link, await waiting.Reader.ReadAsync());

        public void DisposeMessage(Lite.Listener.ReceiveContext receiveContext, Lite.Listener.DispositionContext dispositionContext) =>
            dispositionContext.Complete();
    }
}
